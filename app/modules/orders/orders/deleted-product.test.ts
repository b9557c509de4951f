import { beforeEach, expect, test } from "vitest";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { untilWaiting, whoHolds } from "../../../../test/database/locks.ts";
import { orderInStore } from "../../../../test/database/order-in-store.ts";
import {
  bought,
  mappedShop,
  mapVariant,
  orderLine,
  storeOrder,
} from "../../../../test/database/seed.ts";
import { gid, type ShopDomain } from "../../kernel/ids.ts";

const db = await openTestDatabase();
const MAPPED = gid("ProductVariant", 1);
let shop: ShopDomain;

beforeEach(async () => {
  shop = await mappedShop(db);
});

/** The store tells of the same lines, and not any more of what they sold. */
const deleted = (order = bought(1)) => ({
  ...order,
  lines: order.lines.map((line) => ({ ...line, productId: null, variantId: null })),
});

test("an order keeps what it sold when the product is deleted afterwards", async () => {
  const one = await orderInStore(db, shop);
  await one.read(bought(2));
  expect(await one.read(deleted(bought(2, 1)))).toMatchObject({ opened: 0, cancelled: 1 });
  expect(await one.reviewCode()).toBeNull();
  expect(await one.lines()).toEqual([
    { variant: MAPPED, product: gid("Product", 1), state: "mapped" },
  ]);
  const [request] = await one.requests();
  const sold = await db.tenancy.inShop(shop, (tenant) =>
    tenant.orders.variantOf(request?.orderId ?? gid("Order", 1), orderLine().id),
  );
  expect(sold).toEqual({ variantId: MAPPED, productId: gid("Product", 1) });
  expect(await one.read(deleted(bought(2)))).toMatchObject({ opened: 1 });
});

test("a line keeps what it sold beside another whose product is still there", async () => {
  const one = await orderInStore(db, shop);
  const [kept, gone] = [orderLine(), orderLine({ number: 2, variantId: MAPPED })];
  await one.read(storeOrder({ lines: [kept, gone] }));
  const without = { ...gone, productId: null, variantId: null };
  const lines = [kept, { ...without, currentQuantity: 0 }];
  expect(await one.read(storeOrder({ lines: [kept, without] }))).toMatchObject({ cancelled: 0 });
  expect(await one.reviewCode()).toBeNull();
  expect(await one.read(storeOrder({ lines }))).toMatchObject({ cancelled: 1 });
  expect((await one.lines()).map(({ state }) => state)).toEqual(["mapped", "mapped"]);
});

test("a line that had no mapping is ordered once its variant has one, deleted or not", async () => {
  const unmapped = gid("ProductVariant", 2);
  const one = await orderInStore(db, shop);
  const order = storeOrder({ lines: [orderLine({ variantId: unmapped })] });
  await one.read(order);
  await one.read(deleted(order));
  expect(await one.reviewCode()).toBe("unmapped_line");
  const page = { after: null, limit: 10 };
  expect(
    await db.tenancy.inShop(shop, (tenant) => tenant.orders.withUnmapped(unmapped, page)),
  ).toEqual([order.id]);
  await mapVariant(db, shop, unmapped);
  expect(await one.read(deleted(order))).toMatchObject({ opened: 1 });
  expect(await one.reviewCode()).toBeNull();
});

test("takes a line that never had a variant for no product, and leaves it without a mapping", async () => {
  const one = await orderInStore(db, shop);
  await one.read(deleted());
  await one.read(deleted());
  expect(await one.lines()).toEqual([{ variant: null, product: null, state: "unmapped" }]);
});

test("a product that is deleted between two first readings at the same time is known to both", async () => {
  const one = await orderInStore(db, shop);
  // The first one stands still before its lines, while the second one reads.
  const holder = await whoHolds(db, "LOCK TABLE order_lines IN EXCLUSIVE MODE");
  const first = one.read(bought(1));
  await untilWaiting(db, 1);
  const second = one.read(deleted());
  await untilWaiting(db, 2);
  await holder.end();
  expect(await first).toMatchObject({ opened: 1 });
  expect(await second).toMatchObject({ opened: 0, cancelled: 0 });
  expect(await one.reviewCode()).toBeNull();
  expect(await one.lines()).toMatchObject([{ variant: MAPPED, state: "mapped" }]);
});
