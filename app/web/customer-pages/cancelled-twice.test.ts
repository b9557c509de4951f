import { expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { BUYER, STRANGER, startInvitation } from "../../../test/database/invitation.ts";
import type { Ports } from "../../ports.ts";
import { FORM_TOKEN } from "./page-context.ts";
import { answerCustomerPage } from "./page-routes.ts";

const db = await openTestDatabase();
const BASE = "/apps/pathway";

test("an invitation that is cancelled by two presses leads to the tests both times, for its buyer", async () => {
  const { shop, ports, id, send, seeOne } = await startInvitation(db);
  await send();
  const press = async (viewer = BUYER) => {
    const path = `requests/${id}/take-back`;
    const body = new URLSearchParams({ [FORM_TOKEN]: "ours" });
    const answer = await answerCustomerPage({
      ports: ports as unknown as Ports,
      viewerScope: { shop, viewer },
      context: { base: BASE, formToken: "ours", timeZone: "Australia/Sydney" },
      request: new Request(`https://app.example${BASE}/${path}`, { method: "POST", body }),
      path,
      openDocument: async () => null,
      openExport: async () => new Response(null),
    });
    return answer instanceof Response ? answer.headers.get("location") : answer.status;
  };
  expect(await press(STRANGER)).toBe(404);
  expect([await press(), await press()]).toEqual([`${BASE}?cancelled=1`, `${BASE}?cancelled=1`]);
  expect(await press(STRANGER)).toBe(404);
  expect(await seeOne(BUYER)).toMatchObject({ state: "awaiting_details", handOver: null });
});
