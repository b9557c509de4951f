import { expect, test } from "vitest";
import { startCreated } from "../../../test/database/created.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { PATIENT, storeOrder } from "../../../test/database/seed.ts";
import { describeFailure } from "../../clients/referral-service/failures/describe-failure.ts";
import { savePatientDetails } from "../../modules/access/save-patient-details.ts";
import { gid } from "../../modules/kernel/ids.ts";
import { dryRunOrder } from "../../modules/orders/dry-run-order.ts";
import { cancelRequest } from "../../modules/referrals/cancel-request.ts";
import { retryRequest } from "../../modules/referrals/retry-request.ts";
import { readOrder } from "../../modules/reports/read-order.ts";
import { presentOrder } from "./present-order.ts";

const db = await openTestDatabase();
const order = storeOrder();

/** A test that the service refused, or that failed, and that was ordered again since: the replacement has a referral. */
async function startReplaced(end: "refused" | "failed" = "refused") {
  const created = await startCreated(db, { behaviour: end === "refused" ? "reject" : "create" });
  const { shop, clock, ports, requestId } = created;
  if (end === "failed") await created.become({ status: "FAILED_TEST" });
  await db.tenancy.inShop(shop, (tenant) => tenant.orders.record(order, new Map(), clock.now()));
  const again = await created.reorder();
  if (again.kind !== "reordered") return expect.unreachable(again.kind);
  await created.create(again.requestId);
  await created.takeJobs();
  const wish = { shop, requestId, actor: "staff:7" } as const;
  return {
    ...created,
    retry: () => retryRequest(ports, wish),
    cancel: () => cancelRequest(ports, wish),
    /** All that the order's page offers to do about the refused one, and says of it. */
    async page() {
      const place = { shop, orderId: order.id, actor: null, isWhole: true };
      const found = await readOrder(ports, place);
      if (!found) return expect.unreachable();
      const { lines } = presentOrder({ describeFailure }, found);
      const request = lines[0]?.requests.find(({ id }) => id === requestId);
      if (!request) return expect.unreachable();
      const { name, actions, questions } = request;
      const all = [actions.primary, ...actions.others].flatMap((one) => one?.intent ?? []);
      return { name, offered: all, mayCancel: "cancel-request" in questions };
    },
  };
}

test("sends a refused test no more once it was ordered again", async () => {
  const { create, find, page, retry, service, takeJobs } = await startReplaced();
  const calls = service.calls.length;
  const { name, offered } = await page();
  expect(name).toBe("Ordered again");
  expect(offered).not.toContain("retry");
  expect(await retry()).toEqual({ kind: "not_retryable" });
  expect(await takeJobs()).not.toContain("create-referral");
  await create();
  expect((await find())?.state).toBe("rejected");
  expect(service.calls).toHaveLength(calls);
});

test("says of other details for a refused test that it is too late, once it was ordered again", async () => {
  const { create, ports, requestId, service, shop, takeJobs } = await startReplaced();
  const calls = service.calls.length;
  const viewer = { kind: "customer", customerId: gid("Customer", 7) } as const;
  const details = { ...PATIENT, lastName: "Citizen-Smith", consent: true };
  const saved = await savePatientDetails(ports, { shop, viewer, requestId, details });
  expect(saved).toEqual({ kind: "too_late" });
  expect(await takeJobs()).not.toContain("create-referral");
  await create();
  expect(service.calls).toHaveLength(calls);
});

test("plans nothing for a refused test that was ordered again", async () => {
  const { ports, shop } = await startReplaced();
  const storeOrders = { findByName: async () => order.id, read: async () => order };
  const orderRisk = { assess: async () => "clear" as const };
  const asked = { ...ports, storeOrders, orderRisk };
  const plan = await dryRunOrder(asked, { shop, name: order.name });
  if (plan.kind !== "planned") return expect.unreachable(plan.kind);
  const units = plan.lines.flatMap((line) => line.units);
  expect(units.map(({ generation, state }) => ({ generation, state }))).toEqual([
    { generation: 2, state: "created" },
  ]);
});

test.each(["refused", "failed"] as const)(
  "cancels nothing of a test that was %s and ordered again, and tells nobody that it is cancelled",
  async (end) => {
    const { cancel, find, page, requestId, shop, takeJobs } = await startReplaced(end);
    const mails = async () => {
      const all = await db.tenancy.inShop(shop, (t) => t.notifications.ofRequests([requestId]));
      return all.filter(({ occurrence }) => occurrence?.startsWith("cancelled"));
    };
    expect((await page()).mayCancel).toBe(false);
    expect(await cancel()).toEqual({ kind: "nothing_to_cancel" });
    expect(await takeJobs()).not.toContain("delete-referrals");
    expect(await find()).toMatchObject({ cancellation: null });
    expect(await mails()).toEqual([]);
  },
);

test("still cancels a former referral that can be used again beside its replacement's", async () => {
  const { become, cancel, page } = await startReplaced("failed");
  await become({ status: "ISSUED" });
  expect((await page()).mayCancel).toBe(true);
  expect(await cancel()).toEqual({ kind: "deleting" });
});
