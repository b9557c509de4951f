import { beforeEach, expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { orderInStore } from "../../../test/database/order-in-store.ts";
import { putRequest } from "../../../test/database/put-request.ts";
import { bought, mappedShop } from "../../../test/database/seed.ts";
import { referralSnapshot } from "../../../test/database/snapshots.ts";
import { gid, type ShopDomain } from "../kernel/ids.ts";
import { dryRunOrder } from "./dry-run-order.ts";
import type { StoreOrder } from "./order.ts";
import { reconcileOrder } from "./reconcile-order.ts";

const db = await openTestDatabase();
let shop: ShopDomain;

beforeEach(async () => {
  shop = await mappedShop(db);
});

/** Plans what a reading of the order would do. */
async function planned(order: StoreOrder) {
  const storeOrders = { findByName: async () => order.id, read: async () => order };
  const ports = { tenancy: db.tenancy, storeOrders, emailByService: false };
  const outcome = await dryRunOrder(ports, { shop, name: order.name });
  if (outcome.kind !== "planned") throw new Error(outcome.kind);
  return outcome;
}

test("takes the unit back that a reading would take back: one without results", async () => {
  const one = await orderInStore(db, shop);
  await one.read(bought(2));
  // The later one, which would go first if both had cost the same.
  const later = (await one.requests()).find(({ unit }) => unit === 2)?.id ?? "";
  const earlier = (await one.requests()).find(({ unit }) => unit === 1)?.id ?? "";
  await db.tenancy.inShop(shop, async (tenant) => {
    for (const [id, status] of [
      [earlier, "ISSUED"],
      [later, "COMPLETE"],
    ] as const) {
      await putRequest(tenant, id, { state: "created" });
      const snapshot = referralSnapshot({ uuid: id, status });
      await tenant.referrals.save("staging", id, snapshot, one.clock.now());
    }
  });
  const plan = await planned(bought(2, 1));
  expect(plan.lines[0]).toMatchObject({ takenBack: 1, units: [{ unit: 2 }] });
  await one.read(bought(2, 1));
  const taken = (await one.requests()).filter(({ cancellation }) => cancellation !== null);
  expect(taken.map(({ id }) => id)).toEqual([earlier]);
});

test("says of an order whose data was erased that nothing more is done about it", async () => {
  const one = await orderInStore(db, shop);
  await one.read(bought(1));
  await db.tenancy.inShop(shop, (tenant) =>
    tenant.redaction.orders([gid("Order", 1001)], one.clock.now()),
  );
  expect(await one.read(bought(2))).toEqual({ kind: "redacted" });
  const plan = await planned(bought(2));
  expect(plan.obstacles).toContain("erased");
  expect(plan.lines[0]?.units.filter(({ state }) => state === null)).toEqual([]);
});

test("waits for a person where an order was dealt with before Shopify showed it", async () => {
  const one = await orderInStore(db, shop);
  const orderId = gid("Order", 1001);
  const paid = { name: "#1001", placedAt: new Date(0), changedAt: new Date(1), test: false };
  await reconcileOrder(one.ports, { shop, orderId, paid });
  expect((await planned(bought(1))).obstacles).not.toContain("backdated");
  await db.tenancy.inShop(shop, (tenant) => tenant.orders.markHandled(orderId, "paid_not_visible"));
  expect((await planned(bought(1))).obstacles).toContain("backdated");
  // A reading does as was planned, and so it stays after it.
  expect(await one.read(bought(1))).toMatchObject({ opened: 0 });
  expect((await planned(bought(1))).obstacles).toContain("backdated");
  await reconcileOrder(one.ports, { shop, orderId, isWanted: true });
  expect((await planned(bought(1))).obstacles).not.toContain("backdated");
});
