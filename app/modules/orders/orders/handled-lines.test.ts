import { beforeEach, expect, test } from "vitest";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { orderInStore } from "../../../../test/database/order-in-store.ts";
import { mappedShop, orderLine, storeOrder } from "../../../../test/database/seed.ts";
import { gid, type ShopDomain } from "../../kernel/ids.ts";
import { markHandled } from "../../reports/mark-handled.ts";
import { reopenHandled } from "../../reports/reopen-handled.ts";

const db = await openTestDatabase();
const ACCESSORY = orderLine({ number: 2, variantId: gid("ProductVariant", 2) });
const FORGOTTEN = orderLine({ number: 3, variantId: gid("ProductVariant", 3) });
let shop: ShopDomain;

beforeEach(async () => {
  shop = await mappedShop(db);
});

const open = async () =>
  (await db.pool.query("SELECT reason_code FROM orders WHERE shop = $1", [shop])).rows[0]
    ?.reason_code;

async function handled(order: ReturnType<typeof storeOrder>) {
  const one = await orderInStore(db, shop);
  await one.read(order);
  const by = { shop, orderId: order.id, actor: "staff:1", reason: null } as const;
  await markHandled(one.ports, by);
  expect(await open()).toBeNull();
  return one;
}

test("keeps a handled order handled until another of its lines isn't mapped", async () => {
  const order = storeOrder({ lines: [orderLine(), ACCESSORY] });
  const one = await handled(order);
  await one.read(order);
  expect(await open()).toBeNull();
  const grown = { ...order, lines: [...order.lines, FORGOTTEN] };
  await one.read(grown);
  expect(await open()).toBe("unmapped_line");
});

test("an accessory hides from nobody that the buyer can't be asked", async () => {
  const order = storeOrder({ lines: [orderLine(), ACCESSORY], customerId: null });
  const one = await orderInStore(db, shop);
  await one.read({ ...order, buyer: { ...order.buyer, email: null } });
  expect(await open()).toBe("no_contact");
  await one.read(order);
  expect(await open()).toBe("unmapped_line");
});

test("a line that owes nothing any more is no reason, mapped or not", async () => {
  const one = await orderInStore(db, shop);
  const order = storeOrder({ lines: [orderLine(), { ...ACCESSORY, currentQuantity: 0 }] });
  await one.read(order);
  expect(await open()).toBeNull();
  // Everything of it was ordered before the mapping was removed.
  await db.pool.query("DELETE FROM mappings WHERE shop = $1", [shop]);
  await one.read(order);
  expect(await open()).toBeNull();
});

const by = (reason: string) =>
  ({ shop, orderId: gid("Order", 1001), actor: "staff:1", reason }) as const;
const LONG_AGO = { processedAt: new Date("2024-01-01"), createdAt: new Date() };

test("a reason that was dealt with hides no other that arises later", async () => {
  const order = storeOrder({ lines: [orderLine()] });
  const one = await orderInStore(db, shop);
  await one.read(order);
  // Its customer was corrected, and staff say that the email is right.
  const corrected = { ...order, customerId: gid("Customer", 8) };
  await one.read(corrected);
  expect(await open()).toBe("customer_changed");
  await markHandled(one.ports, by("customer_changed"));
  await one.read(corrected);
  expect(await open()).toBeNull();
  const grown = { ...corrected, lines: [...order.lines, FORGOTTEN] };
  await one.read(grown);
  expect(await open()).toBe("unmapped_line");
  await one.read(grown);
  await markHandled(one.ports, by("unmapped_line"));
  // Neither is asked about again.
  await one.read(grown);
  expect(await open()).toBeNull();
  // Either can be brought back.
  expect(await reopenHandled(one.ports, by("customer_changed"))).toEqual({
    kind: "reopened",
    items: 1,
  });
  expect(await open()).toBe("customer_changed");
});

test("a reason that stood behind another is shown as soon as that is dealt with", async () => {
  const order = storeOrder({ lines: [orderLine(), ACCESSORY], customerId: null });
  const one = await orderInStore(db, shop);
  const silent = { ...order, buyer: { ...order.buyer, email: null } };
  await one.read(silent);
  await markHandled(one.ports, by("no_contact"));
  expect(await open()).toBe("unmapped_line");
  await one.read(silent);
  expect(await open()).toBe("unmapped_line");
  await markHandled(one.ports, by("unmapped_line"));
  await one.read(silent);
  expect(await open()).toBeNull();
});

test("a test that is added to an order of long ago is asked about, though that was dealt with", async () => {
  const order = storeOrder({ lines: [orderLine()], ...LONG_AGO });
  const one = await handled(order);
  await one.read(order);
  expect(await open()).toBeNull();
  await one.read({ ...order, lines: [orderLine({ quantity: 2 })] });
  expect(await open()).toBe("backdated");
});

test("a doubt about an email outlasts a time in which the store doesn't show the order", async () => {
  const order = storeOrder({ lines: [orderLine()] });
  const one = await orderInStore(db, shop);
  await one.read(order);
  const corrected = { ...order, customerId: gid("Customer", 8) };
  await one.read(corrected);
  await one.read(null);
  expect(await open()).toBe("order_not_visible");
  await one.read(corrected);
  expect(await open()).toBe("customer_changed");
});
