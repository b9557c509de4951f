import { beforeEach, expect, test } from "vitest";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { orderInStore } from "../../../../test/database/order-in-store.ts";
import {
  installedShop,
  mapVariant,
  orderLine,
  storeOrder,
} from "../../../../test/database/seed.ts";
import { gid, type ShopDomain } from "../../kernel/ids.ts";
import { markHandled } from "../../reports/mark-handled.ts";

const db = await openTestDatabase();
const MAPPED = gid("ProductVariant", 1);
const ACCESSORY = orderLine({ number: 2, variantId: gid("ProductVariant", 2) });
const FORGOTTEN = orderLine({ number: 3, variantId: gid("ProductVariant", 3) });
let shop: ShopDomain;

beforeEach(async () => {
  shop = await installedShop(db);
  await mapVariant(db, shop, MAPPED);
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
