import type { AppLoadContext } from "@remix-run/node";
import { expect, test } from "vitest";
import { START } from "../../../test/database/clock.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { startLinked } from "../../../test/database/linked-results.ts";
import { putRequest } from "../../../test/database/put-request.ts";
import { REVIEWER } from "../../../test/database/seed.ts";
import { referralSnapshot, resultSnapshot } from "../../../test/database/snapshots.ts";
import { describeFailure } from "../../clients/referral-service/failures/describe-failure.ts";
import { gidNumber } from "../../modules/kernel/ids.ts";
import { recordResult } from "../../modules/referrals/results/record-result.ts";
import { readOrder } from "../../modules/reports/read-order.ts";
import { presentOrder } from "../app.orders.$number/present-order.ts";
import { action, loader } from "./route.tsx";

const db = await openTestDatabase();
const actor = "staff:7" as const;
const summary = (critical: number) => ({ normal: 8, abnormal: 1, critical, total: 9 });

/** A test whose patient has hidden its results, of which another is held now. */
async function start({ critical = 0, title = "Iron studies" } = {}) {
  const { shop, clock, ports, id } = await startLinked(db);
  const referral = referralSnapshot();
  const orderId = await db.tenancy.inShop(shop, async (tenant) => {
    await tenant.shops.updateSettings({ releasePolicy: "hold_all", reviewer: REVIEWER });
    await tenant.staff.identify({ staff: actor, name: "Mia", isAccountOwner: true }, START);
    await putRequest(tenant, id, { state: "created" });
    await tenant.referrals.save("staging", id, referral, START);
    await tenant.requests.hideResults(id, START);
    const request = await tenant.requests.findForUpdate(id);
    if (!request) throw new Error("It is gone");
    const result = resultSnapshot({ referralUuid: referral.uuid });
    const snapshot = { ...result, productName: title, biomarkerSummary: summary(critical) };
    await recordResult(tenant, request, snapshot, { askedAt: clock.now(), now: clock.now() });
    return request.orderId;
  });
  const context = {
    app: { ports, describeFailure },
    merchant: async () => ({ shop, actor }),
  } as unknown as AppLoadContext;
  const params = { number: gidNumber(orderId), requestId: id };
  const read = async () =>
    (await loader({ request: new Request("https://app.example/results"), params, context })).data;
  return {
    read,
    async release(contacted = false) {
      const { version } = await read();
      const fields = { intent: "release-results", name: "Mia Ng", seen: version };
      const body = new URLSearchParams({ ...fields, ...(contacted ? { contacted: "true" } : {}) });
      const request = new Request("https://app.example/results", { method: "POST", body });
      const answer = await action({ request, params, context });
      return "data" in answer ? answer.data : answer.headers.get("Location");
    },
    reason: async () => (await db.tenancy.inShop(shop, (t) => t.requests.find(id)))?.reason?.code,
    async reviewUrl() {
      const place = { shop, orderId, actor, isWhole: true };
      const found = await readOrder(ports, place);
      if (!found) return expect.unreachable();
      const { lines } = presentOrder({ describeFailure }, found);
      return lines.flatMap(({ requests }) => requests).find((one) => one.id === id)?.reviewUrl;
    },
    order: `/app/orders/${gidNumber(orderId)}`,
    page: `/app/orders/${gidNumber(orderId)}/requests/${id}/results`,
  };
}

test("offers the release of a held result that its patient has hidden, and shows nothing of it", async () => {
  const { order, page, read, reason, release, reviewUrl } = await start();
  expect(await reason()).toBe("results_held");
  expect(await reviewUrl()).toBe(page);
  expect(await read()).toMatchObject({ isHidden: true, held: 1, results: null, earlier: null });
  expect(await release()).toBe(order);
  expect(await reason()).toBeUndefined();
});

test("asks to ring the patient about a critical result that nobody could read before its release", async () => {
  const { reason, release } = await start({ critical: 1 });
  expect(await reason()).toBe("urgent_result_held");
  await release();
  expect(await reason()).toBe("urgent_result_shown");
});

test("ends the alerts about a sensitive result that its patient has hidden once the patient was told", async () => {
  const { reason, release } = await start({ critical: 1, title: "HIV antibodies" });
  expect(await release()).toMatchObject({ errors: { contacted: expect.any(String) } });
  expect(await release(true)).toContain("/app/orders/");
  expect(await reason()).toBe("urgent_result_shown");
});
