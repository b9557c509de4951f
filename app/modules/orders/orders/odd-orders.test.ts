import { beforeEach, expect, test } from "vitest";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { orderInStore } from "../../../../test/database/order-in-store.ts";
import { mappedShop, mapVariant, orderLine, storeOrder } from "../../../../test/database/seed.ts";
import { readWebhook } from "../../../clients/shopify/read-webhook.ts";
import { gid, type ShopDomain } from "../../kernel/ids.ts";
import type { StoreOrder, StoreOrderLine } from "../order.ts";

const db = await openTestDatabase();
let shop: ShopDomain;
/** Ids of orders are unlike in all of Shopify. */
let number = 5_000;

beforeEach(async () => {
  shop = await mappedShop(db);
  await mapVariant(db, shop, gid("ProductVariant", 2));
  number++;
});

const line = orderLine;
const gone = (fields: Partial<StoreOrderLine> & { number?: number } = {}) =>
  orderLine({ ...fields, currentQuantity: 0 });
const NO_ADDRESS = { ...storeOrder().buyer, email: null };
const DAY_MS = 86_400_000;

interface Odd {
  what: string;
  /** The order as it becomes, reading by reading; what is left out is as usual. */
  readings: Partial<StoreOrder>[];
  /** Fields of the message about its payment, beside what Shopify usually sends. */
  message?: Record<string, unknown>;
  /** Units that have a request which goes on, and why a person is asked. */
  units: number;
  item: string | null;
}

const line500 = Array.from({ length: 500 }, (_, index) =>
  line({ number: index + 1, variantId: gid("ProductVariant", 1), productId: gid("Product", 1) }),
);
const CANCELLED = { cancelledAt: new Date("2026-11-21T00:00:00Z") };

const ODD: Odd[] = [
  {
    what: "a line of no units",
    readings: [{ lines: [line({ quantity: 0 })] }],
    units: 0,
    item: null,
  },
  {
    what: "a line of no units beside one of two",
    readings: [{ lines: [line({ quantity: 0 }), line({ number: 2, quantity: 2 })] }],
    ...{ units: 2, item: null },
  },
  { what: "no line", readings: [{ lines: [] }], message: { line_items: [] }, units: 0, item: null },
  {
    what: "a null customer with an address",
    ...{ readings: [{ customerId: null }], message: { customer: null }, units: 1, item: null },
  },
  {
    what: "a null customer whom nobody can ask",
    readings: [{ customerId: null, buyer: NO_ADDRESS }],
    ...{ message: { customer: null, email: null }, units: 1, item: "no_contact" },
  },
  {
    what: "a line without a variant",
    readings: [{ lines: [line({ variantId: null, productId: null })] }],
    ...{ units: 0, item: "unmapped_line" },
  },
  {
    what: "a line without a variant beside a test",
    readings: [{ lines: [line(), line({ number: 3, variantId: null, productId: null })] }],
    ...{ units: 1, item: "unmapped_line" },
  },
  { what: "500 lines of one product", readings: [{ lines: line500 }], units: 500, item: null },
  {
    what: "two lines of one product",
    readings: [{ lines: [line(), line({ number: 9, ...SAME_PRODUCT() })] }],
    ...{ units: 2, item: null },
  },
  {
    what: "two lines of one product, of which one was refunded",
    readings: [{ lines: [gone(), line({ number: 9, ...SAME_PRODUCT() })] }],
    ...{ units: 1, item: null },
  },
  {
    what: "a gift card beside a test",
    readings: [{ lines: [line(), line({ number: 2, isGiftCard: true })] }],
    ...{ units: 1, item: null },
  },
  {
    what: "an unpaid draft order, and then its payment",
    readings: [{ paid: false }, { paid: true }],
    ...{ units: 1, item: null },
  },
  { what: "an unpaid draft order", readings: [{ paid: false }], units: 0, item: null },
  { what: "a cancelled order", readings: [{}, CANCELLED], units: 0, item: null },
  {
    what: "an order that was cancelled and is not any more",
    readings: [{}, CANCELLED, {}],
    ...{ units: 1, item: null },
  },
  {
    what: "an order that was cancelled, given back, and is not cancelled any more",
    readings: [{}, { ...CANCELLED, isMoneyBack: true }, { isMoneyBack: true }],
    ...{ units: 0, item: "money_back" },
  },
  {
    what: "a unit added after a refund, and not paid",
    readings: [
      { lines: [line({ quantity: 2 })] },
      { lines: [line({ quantity: 2, currentQuantity: 1 })] },
      {
        ...{ paid: false, paidInPart: true },
        lines: [line({ quantity: 2, currentQuantity: 1 }), line({ number: 2 })],
      },
    ],
    ...{ units: 1, item: "paid_in_part" },
  },
  {
    what: "a unit added after a refund, and paid",
    readings: [
      { lines: [line({ quantity: 2 })] },
      { lines: [line({ quantity: 2, currentQuantity: 1 }), line({ number: 2 })] },
    ],
    ...{ units: 2, item: null },
  },
];

function SAME_PRODUCT() {
  return { variantId: gid("ProductVariant", 1), productId: gid("Product", 1) };
}

test.each(ODD)("$what: $units units, item $item", async ({ readings, message, units, item }) => {
  const id = gid("Order", number);
  const body = {
    ...{ id: number, name: `#${number}`, test: false },
    ...{ created_at: "2026-11-20T00:00:00Z", updated_at: "2026-11-20T00:00:00Z" },
    ...message,
  };
  const told = readWebhook("orders/paid", Buffer.from(JSON.stringify(body)));
  expect(told).toMatchObject({ kind: "order_changed", orderId: id, paid: { test: body.test } });
  const one = await orderInStore(db, shop, id);
  let updatedAt = storeOrder().updatedAt;
  for (const reading of readings) {
    updatedAt = new Date(updatedAt.getTime() + DAY_MS / 24);
    const order = storeOrder({ id, name: `#${number}`, updatedAt, ...reading });
    // Shopify tells each change several times.
    await one.read(order);
    await one.read(order);
  }
  const living = (await one.requests()).filter(({ state }) => state !== "cancelled");
  expect(living).toHaveLength(units);
  expect(new Set(living.map(({ referenceNumber }) => referenceNumber)).size).toBe(units);
  expect((await one.reviewCode()) ?? null).toBe(item);
});

test("Shopify's test payment in a shop that is live orders at staging alone", async () => {
  await db.pool.query("UPDATE shops SET environment = 'production' WHERE shop = $1", [shop]);
  const id = gid("Order", number);
  const one = await orderInStore(db, shop, id);
  await one.read(storeOrder({ id, test: true }));
  const requests = await one.requests();
  expect(requests.map(({ environment }) => environment)).toEqual(["staging"]);
});

test("a subscription's next order is another order, with a referral of its own", async () => {
  const first = await orderInStore(db, shop, gid("Order", number));
  const second = await orderInStore(db, shop, gid("Order", ++number));
  for (const [one, id] of [
    [first, number - 1],
    [second, number],
  ] as const)
    await one.read(storeOrder({ id: gid("Order", id), name: `#${id}`, tags: ["Subscription"] }));
  const [a, b] = [await first.requests(), await second.requests()];
  expect([a.length, b.length]).toEqual([1, 1]);
  expect(a[0]?.referenceNumber).not.toBe(b[0]?.referenceNumber);
});
