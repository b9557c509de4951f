/** Somebody goes back after they sent a form, or has it open in two tabs: their link has done its work meanwhile. */
import { expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { startLinked } from "../../../test/database/linked-results.ts";
import { putRequest } from "../../../test/database/put-request.ts";
import type { RequestState } from "../../modules/referrals/request.ts";
import type { Ports } from "../../ports.ts";
import { FORM_TOKEN } from "./page-context.ts";
import { hostedPage, NO_SHOP } from "./page-response.tsx";
import { answerCustomerPage } from "./page-routes.ts";

const db = await openTestDatabase();
const BASE = "/visit/x";

/** A guest behind a link for the details of a test that has come to `state` since. */
async function start(
  state: RequestState,
  kind: "details_needed" | "form_ready" = "details_needed",
) {
  const world = await startLinked(db);
  const viewer = await world.enter(await world.mail(kind));
  await db.tenancy.inShop(world.shop, (tenant) => putRequest(tenant, world.id, { state }));
  const ask = async (path: string, body?: URLSearchParams) => {
    const answer = await answerCustomerPage({
      ports: world.ports as unknown as Ports,
      viewerScope: { shop: world.shop, viewer },
      context: { base: BASE, formToken: "ours", timeZone: "Australia/Sydney" },
      request: new Request(`https://app.example${BASE}/${path}`, body && { method: "POST", body }),
      path: path.replace(/\?.*/, ""),
      openDocument: async () => null,
      openExport: async () => new Response(null),
    });
    if (answer instanceof Response) return expect.unreachable(`${answer.status}`);
    const text = await hostedPage(answer, { help: NO_SHOP }).text();
    expect(text).toContain(`href="${BASE}"`);
    return { status: answer.status, heading: /<h1>([^<]*)/.exec(text)?.[1] };
  };
  const at = `requests/${world.id}`;
  return {
    see: (path: string) => ask(`${at}/${path}`),
    send: (path: string) => ask(`${at}/${path}`, new URLSearchParams({ [FORM_TOKEN]: "ours" })),
  };
}

test("says that the details are there already, and not that the link was for something else", async () => {
  const { see, send } = await start("created");
  const given = { status: 409, heading: "The details have been given already" };
  expect(await see("details?who=me")).toEqual(given);
  expect(await send("details")).toEqual(given);
  const late = { status: 409, heading: "This test can no longer be sent to somebody" };
  expect(await see("hand-over")).toEqual(late);
  expect(await send("hand-over")).toEqual(late);
});

test("says of a test that was cancelled that it was, and nothing of its details", async () => {
  const { see, send } = await start("cancelled");
  for (const path of ["details?who=me", "hand-over"])
    expect(await see(path)).toEqual({ status: 409, heading: "This test was cancelled" });
  for (const path of ["details", "hand-over"])
    expect(await send(path)).toEqual({ status: 409, heading: "This test was cancelled" });
});

test("still says of a link for the form that it was sent for something else", async () => {
  const { see } = await start("created", "form_ready");
  expect(await see("details")).toMatchObject({ status: 403 });
});
