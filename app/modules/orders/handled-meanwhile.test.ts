import { expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { untilWaiting, whoHolds } from "../../../test/database/locks.ts";
import { orderInStore } from "../../../test/database/order-in-store.ts";
import { bought, mappedShop } from "../../../test/database/seed.ts";
import { gid } from "../kernel/ids.ts";
import { markHandled } from "../reports/mark-handled.ts";

const db = await openTestDatabase();
const ORDER = gid("Order", 1001);

test("an order that staff dealt with while it was being read orders nothing", async () => {
  const shop = await mappedShop(db);
  const one = await orderInStore(db, shop);
  const paid = { name: "#1001", placedAt: new Date(0), changedAt: new Date(0), test: false };
  await db.tenancy.inShop(shop, async (tenant) => {
    await tenant.orders.recordUnseen(ORDER, paid, new Date(0));
    await tenant.orders.setAttention(ORDER, ["paid_not_visible"]);
  });
  // The colleague's press has the order's lock, and stands still before it writes.
  const row = await whoHolds(db, "SELECT FROM orders WHERE shop = $1 FOR UPDATE", shop);
  const reason = "paid_not_visible";
  const marking = markHandled(one.ports, { shop, orderId: ORDER, reason, actor: "staff:7" });
  await untilWaiting(db, 1, marking);
  const reading = one.read(bought(1));
  await untilWaiting(db, 2, reading);
  await row.end();
  expect(await marking).toMatchObject({ kind: "marked" });
  expect(await reading).toMatchObject({ opened: 0 });
  expect(await db.tenancy.inShop(shop, (tenant) => tenant.requests.forOrder(ORDER))).toEqual([]);
});
