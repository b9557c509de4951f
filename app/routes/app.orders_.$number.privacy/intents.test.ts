import type { AppLoadContext } from "@remix-run/node";
import { expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { privacyRun } from "../../../test/database/privacy-run.ts";
import { action as takeFile } from "../app.orders_.$number.privacy_.file.ts";
import { action as erase } from "./route.tsx";

const db = await openTestDatabase();
const run = privacyRun(db);

/** Posts a form as a manager of the shop does, to the address that deletes, or to the one that downloads. */
async function start() {
  const { shop, ports, clock } = await run.start();
  const requestId = await run.wholeStory("canary-intent");
  const actor = "staff:1" as const;
  await db.tenancy.inShop(shop, (tenant) =>
    tenant.staff.identify({ staff: actor, name: "Mia", isAccountOwner: true }, clock.now()),
  );
  const context = {
    app: { ports },
    merchant: async () => ({ shop, actor }),
  } as unknown as AppLoadContext;
  const post = (action: typeof erase | typeof takeFile, intent: string) => {
    const body = new URLSearchParams({ intent, requestId, caseNumber: "", isChecked: "true" });
    const request = new Request("https://app.example/", { method: "POST", body });
    return Promise.resolve(action({ request, params: { number: "1001" }, context })).then(
      (answer) => (answer instanceof Response ? answer.status : (answer.init?.status ?? 200)),
      (thrown: { init?: { status?: number } }) => thrown.init?.status,
    );
  };
  return { post, details: async () => (await run.find(requestId)).details };
}

test("deletes a patient's data for the wish to delete it, and for no other", async () => {
  const { post, details } = await start();
  expect(await post(erase, "take")).toBe(400);
  expect(await details()).not.toBeNull();
  expect(await post(takeFile, "erase")).toBe(400);
  expect(await post(takeFile, "sign_out")).toBe(400);
  expect(await post(takeFile, "take")).toBe(200);
  expect(await post(erase, "sign_out")).toBe(200);
  expect(await details()).not.toBeNull();
  expect(await post(erase, "erase")).toBe(200);
  expect(await details()).toBeNull();
});
