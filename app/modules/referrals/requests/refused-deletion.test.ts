import { randomUUID } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { startCreated } from "../../../../test/database/created.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { untilWaiting, whoHoldsRequest } from "../../../../test/database/locks.ts";
import { mapVariant, orderLine, storeOrder } from "../../../../test/database/seed.ts";
import { gid } from "../../kernel/ids.ts";
import { reconcileOrder } from "../../orders/reconcile-order.ts";
import { cancelRequest } from "../cancel-request.ts";

const db = await openTestDatabase();
const ORDER = gid("Order", 1001);
let created: Awaited<ReturnType<typeof startCreated>>;

beforeEach(async () => {
  created = await startCreated(db);
  await mapVariant(db, created.shop, gid("ProductVariant", 1));
});

/** Reads the order with so many units left, and does what that asks of the service. */
async function read(left: number) {
  created.clock.advance(1000);
  const order = storeOrder({ lines: [orderLine({ quantity: 1, currentQuantity: left })] });
  const storeOrders = { read: async () => order };
  await reconcileOrder({ ...created.ports, storeOrders }, { shop: created.shop, orderId: ORDER });
  for (const name of await created.takeJobs())
    if (name === "delete-referrals") await created.withdraw();
}
/** How often the service was asked to delete a referral. */
const asked = () => created.service.deletions.length + created.service.refusedDeletions.length;

test("a deletion that the service refused is not asked for again by each message about the order", async () => {
  created.service.deletes = false;
  await read(0);
  expect(asked()).toBe(1);
  expect(await created.find()).toMatchObject({
    reviewReason: { code: "withdrawal_refused", detail: null },
    cancellation: { requestedBy: "store", status: "requested" },
  });
  await read(0);
  await read(0);
  expect(asked()).toBe(1);
  expect(await created.find()).toMatchObject({
    reviewReason: { code: "withdrawal_refused", detail: null },
    cancellation: { requestedBy: "store", status: "requested" },
  });
  const story = await created.story(created.requestId);
  expect(story.filter((kind) => kind === "withdrawal_refused")).toHaveLength(1);

  // A person may try again, by hand.
  created.service.deletes = true;
  const actor = "staff:7" as const;
  expect(await cancelRequest(created.ports, { ...created.target, actor })).toEqual({
    kind: "deleting",
  });
  expect(await created.withdraw()).toMatchObject({ kind: "deleted" });
  expect(await created.find()).toMatchObject({
    state: "cancelled",
    cancellation: { requestedBy: "store", status: "done" },
  });
});

test("a unit that was bought again and refunded again is asked about once more", async () => {
  created.service.deletes = false;
  await read(0);
  await read(1);
  await read(0);
  await read(0);
  expect(asked()).toBe(2);
  expect(await created.find()).toMatchObject({
    reviewReason: { code: "withdrawal_refused", detail: null },
    cancellation: { requestedBy: "store", status: "requested" },
  });
});

test("results that come to a referral that could not be deleted are told", async () => {
  created.service.deletes = false;
  await read(0);
  await created.become({ status: "PARTIAL_RESULTS", resultsUuid: randomUUID() });
  await read(0);
  expect(asked()).toBe(1);
  expect(await created.find()).toMatchObject({
    reviewReason: { code: "refunded_after_results", detail: null },
  });
});

test("keeps staff's cancellation staff's at the second try, and opens nothing in its place", async () => {
  const actor = "staff:7" as const;
  const cancel = () => cancelRequest(created.ports, { ...created.target, actor });
  created.service.deletes = false;
  await cancel();
  expect(await created.withdraw()).toEqual({ kind: "refused" });
  created.service.deletes = true;
  await cancel();
  expect(await created.withdraw()).toMatchObject({ kind: "deleted" });
  expect(await created.find()).toMatchObject({
    state: "cancelled",
    cancellation: { requestedBy: "staff", status: "done" },
  });
  await read(1);
  const { rows } = await db.pool.query("SELECT unit FROM referral_requests WHERE shop = $1", [
    created.shop,
  ]);
  expect(rows).toEqual([{ unit: 1 }]);
});

test("a refusal that two runs of the job bring home is the store's all the same", async () => {
  created.service.deletes = false;
  created.clock.advance(1000);
  const order = storeOrder({ lines: [orderLine({ quantity: 1, currentQuantity: 0 })] });
  const storeOrders = { read: async () => order };
  await reconcileOrder({ ...created.ports, storeOrders }, { shop: created.shop, orderId: ORDER });
  await created.takeJobs();
  const holder = await whoHoldsRequest(db, created.requestId);
  const both = Promise.all([created.withdraw(), created.withdraw()]);
  await untilWaiting(db, 2);
  await holder.end();
  expect(await both).toEqual([{ kind: "refused" }, { kind: "refused" }]);
  await read(0);
  expect(asked()).toBe(2);
  expect(await created.find()).toMatchObject({
    reviewReason: { code: "withdrawal_refused", detail: null },
    cancellation: { requestedBy: "store", status: "requested" },
  });
});
