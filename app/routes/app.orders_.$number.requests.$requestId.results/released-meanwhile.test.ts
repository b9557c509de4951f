import type { AppLoadContext } from "@remix-run/node";
import { expect, test } from "vitest";
import { START } from "../../../test/database/clock.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { startLinked } from "../../../test/database/linked-results.ts";
import { putRequest } from "../../../test/database/put-request.ts";
import { REVIEWER } from "../../../test/database/seed.ts";
import { referralSnapshot, resultSnapshot } from "../../../test/database/snapshots.ts";
import { gidNumber } from "../../modules/kernel/ids.ts";
import { recordResult } from "../../modules/referrals/results/record-result.ts";
import { action } from "./route.tsx";

const db = await openTestDatabase();

/** A test whose result is held, and the page on which two reviewers may press Release. */
async function start() {
  const { shop, clock, ports, id } = await startLinked(db);
  const actor = "staff:7" as const;
  const referral = referralSnapshot();
  const orderId = await db.tenancy.inShop(shop, async (tenant) => {
    await tenant.shops.updateSettings({ releasePolicy: "hold_all", reviewer: REVIEWER });
    await tenant.staff.identify({ staff: actor, name: "Mia", isAccountOwner: true }, START);
    await putRequest(tenant, id, { state: "created" });
    await tenant.referrals.save("staging", id, referral, START);
    const request = await tenant.requests.findForUpdate(id);
    if (!request) throw new Error("It is gone");
    const snapshot = resultSnapshot({ referralUuid: referral.uuid });
    await recordResult(tenant, request, snapshot, { askedAt: clock.now(), now: clock.now() });
    return request.orderId;
  });
  const context = {
    app: { ports },
    merchant: async () => ({ shop, actor }),
  } as unknown as AppLoadContext;
  return {
    cancel: () =>
      db.tenancy.inShop(shop, (tenant) => putRequest(tenant, id, { state: "cancelled" })),
    async release() {
      const fields = {
        intent: "release-results",
        name: "Mia Ng",
        comment: "Rang her",
        contacted: "true",
      };
      const body = new URLSearchParams(fields);
      const request = new Request("https://app.example/results", { method: "POST", body });
      const params = { number: gidNumber(orderId), requestId: id };
      const answer = await action({ request, params, context });
      return "data" in answer ? answer.data : answer.status;
    },
  };
}

test("tells a reviewer who comes second that a colleague has released the results", async () => {
  const { release } = await start();
  expect(await release()).toBe(302);
  expect(await release()).toEqual({
    errors: { nothingHeld: expect.stringContaining("meanwhile") },
  });
});

test("of two reviewers who release at once, one does, and the other is told so", async () => {
  const { release } = await start();
  const answers = await Promise.all([release(), release()]);
  expect(answers.toSorted((one) => (one === 302 ? -1 : 1))).toEqual([
    302,
    { errors: { nothingHeld: expect.stringContaining("meanwhile") } },
  ]);
});

test("tells a reviewer that the test was cancelled", async () => {
  const { cancel, release } = await start();
  await cancel();
  expect(await release()).toEqual({
    errors: { nothingHeld: expect.stringContaining("cancelled") },
  });
});
