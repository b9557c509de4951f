import { beforeEach, expect, test } from "vitest";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { orderInStore } from "../../../../test/database/order-in-store.ts";
import { putRequest } from "../../../../test/database/put-request.ts";
import {
  bought,
  mappedShop,
  mapVariant,
  orderLine,
  storeOrder,
} from "../../../../test/database/seed.ts";
import { referralSnapshot } from "../../../../test/database/snapshots.ts";
import { gid, type ShopDomain } from "../../kernel/ids.ts";
import { markHandled } from "../../reports/mark-handled.ts";
import { reconcileOrder } from "../reconcile-order.ts";
import { tellNotVisible } from "./tell-not-visible.ts";

const db = await openTestDatabase();
const ORDER = gid("Order", 1001);
let shop: ShopDomain;

beforeEach(async () => {
  shop = await mappedShop(db);
});

const NOT_FOUND = { kind: "not_found" };

test("a change of an order that the store shows no more is told to a person, once", async () => {
  const one = await orderInStore(db, shop);
  await one.read(bought(2));
  expect(await one.read(null)).toEqual(NOT_FOUND);
  expect(await one.read(null)).toEqual(NOT_FOUND);
  expect(await one.reviewCode()).toBe("order_not_visible");
  expect(await one.story()).toEqual(["order_read", "order_not_visible"]);
  expect((await one.requests()).map(({ state }) => state)).toEqual([
    "awaiting_details",
    "awaiting_details",
  ]);
  // A handled reason stays handled.
  const asked = { shop, orderId: ORDER, reason: null, actor: "staff:1" } as const;
  expect(await markHandled(one.ports, asked)).toMatchObject({ kind: "marked", items: 1 });
  await one.read(null);
  expect(await markHandled(one.ports, asked)).toEqual({ kind: "nothing_open" });
  // Shown again, because all orders may be read now.
  expect(await one.read(bought(2, 1))).toMatchObject({ cancelled: 1 });
  expect(await one.reviewCode()).toBeNull();
});

test("what another store does not show is told to nobody, and read again once the name is back", async () => {
  const one = await orderInStore(db, shop);
  const identify = (store: number) =>
    db.tenancy.inShop(shop, ({ shops }) => shops.identify(`gid://shopify/Shop/${shop} ${store}`));
  await identify(1);
  await one.read(bought(2));
  await identify(2);
  const paid = { name: "#7", placedAt: one.clock.now(), changedAt: one.clock.now(), test: false };
  const unknown = gid("Order", 7);
  expect(await reconcileOrder(one.ports, { shop, orderId: unknown, paid })).toEqual({
    kind: "other_store",
  });
  expect(await one.read(null)).toEqual({ kind: "other_store" });
  expect(await one.reviewCode()).toBeNull();
  expect(await one.story()).toEqual(["order_read"]);
  const { rows } = await db.pool.query(
    `SELECT (SELECT count(*)::int FROM orders WHERE shop = $1) AS orders,
            (SELECT count(*)::int FROM inbox WHERE shop = $1 AND state = 'parked') AS parked`,
    [shop],
  );
  expect(rows).toEqual([{ orders: 1, parked: 2 }]);
  await identify(1);
  expect(await one.read(null)).toEqual(NOT_FOUND);
  expect(await one.reviewCode()).toBe("order_not_visible");
});

test("an older reading that found nothing does not speak after a later one", async () => {
  const one = await orderInStore(db, shop);
  await one.read(bought(1));
  const reading = Promise.withResolvers<null>();
  const begun = Promise.withResolvers<void>();
  const storeOrders = {
    read: () => {
      begun.resolve();
      return reading.promise;
    },
  };
  const late = reconcileOrder({ ...one.ports, storeOrders }, { shop, orderId: ORDER });
  await begun.promise;
  await one.read(bought(1));
  reading.resolve(null);
  expect(await late).toEqual(NOT_FOUND);
  expect(await one.reviewCode()).toBeNull();
});

test("a reading that found nothing does not speak after one that began in the same millisecond", async () => {
  const one = await orderInStore(db, shop);
  await one.read(bought(1));
  await db.tenancy.inShop(shop, async (tenant) => {
    const known = await tenant.orders.findForUpdate(ORDER);
    if (!known) throw new Error("The order is not known");
    await tellNotVisible(tenant, ORDER, { readAt: known.readAt, now: one.clock.now() });
  });
  expect(await one.reviewCode()).toBeNull();
});

test("nobody is bothered where a refund would change nothing", async () => {
  const one = await orderInStore(db, shop);
  await one.read(null);
  expect(await one.reviewCode()).toBeUndefined();
  // Taken back as a whole.
  await one.read({ ...bought(1), cancelledAt: new Date() });
  await one.read(null);
  expect(await one.reviewCode()).toBeNull();
  // Nothing but results is left.
  await one.read(bought(1));
  const id = (await one.requests()).find(({ state }) => state !== "cancelled")?.id ?? "";
  await db.tenancy.inShop(shop, async (tenant) => {
    await putRequest(tenant, id, { state: "created" });
    const snapshot = referralSnapshot({ status: "COMPLETE" });
    await tenant.referrals.save("staging", id, snapshot, one.clock.now());
  });
  await one.read(null);
  expect(await one.reviewCode()).toBeNull();
});

test("a test order, a made-up one too, is not looked for in the store", async () => {
  const one = await orderInStore(db, shop);
  await one.read({ ...bought(1), test: true });
  await one.read(null);
  expect(await one.reviewCode()).toBeNull();
});

test("orders nothing by a mapping for an order that the store shows no more", async () => {
  const one = await orderInStore(db, shop);
  await one.read(storeOrder({ lines: [orderLine({ variantId: gid("ProductVariant", 2) })] }));
  await mapVariant(db, shop, gid("ProductVariant", 2));
  await one.read(null);
  expect(await one.reviewCode()).toBe("order_not_visible");
});

test("a redacted order is acted on no more", async () => {
  const one = await orderInStore(db, shop);
  await one.read(bought(1));
  await db.tenancy.inShop(shop, (tenant) => tenant.redaction.orders([ORDER], one.clock.now()));
  await one.read(null);
  expect(await one.reviewCode()).toBeNull();
});
