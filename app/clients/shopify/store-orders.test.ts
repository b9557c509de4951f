import { expect, test } from "vitest";
import { gid } from "../../modules/kernel/ids.ts";
import type { AdminGraphql } from "./admin-graphql.ts";
import { createStoreOrderList } from "./store-order-list.ts";
import { createStoreOrders } from "./store-orders.ts";
import { createStoreProducts } from "./store-products.ts";

const orderId = gid("Order", 1);

/** One page of lines, of an order that the store changed at this minute. */
function page(minute: number, lines: [number: number, quantity: number][], endCursor?: string) {
  const none = { email: null, phone: null, statusPageUrl: null, customer: null };
  return {
    order: {
      ...none,
      ...{ id: orderId, name: "#1", test: false, displayFinancialStatus: "PAID" },
      ...{ cancelledAt: null, processedAt: "2026-11-20T00:00:00Z" },
      updatedAt: `2026-11-20T00:0${minute}:00Z`,
      lineItems: {
        nodes: lines.map(([number, quantity]) => ({
          ...{ id: gid("LineItem", number), title: "", sku: null, isGiftCard: false },
          ...{ quantity, currentQuantity: quantity, product: null, variant: null },
        })),
        pageInfo: { hasNextPage: endCursor !== undefined, endCursor: endCursor ?? null },
      },
    },
  };
}

/** A store that gives these answers, one after the other. */
function answering(answers: unknown[]): AdminGraphql {
  const left = [...answers];
  return async (_shop, _operation, _variables, reads) => reads.parse(left.shift());
}

const SHOP = "a.myshopify.com";
const UNREADABLE = { code: "store_unreadable" };

test("dates an order by its first page: what changed between two pages was not seen on the first", async () => {
  const graphql = answering([page(1, [[1, 3]], "a"), page(5, [[2, 1]])]);
  const order = await createStoreOrders(graphql).read(SHOP, orderId);
  expect(order?.lines.map(({ currentQuantity }) => currentQuantity)).toEqual([3, 1]);
  // A later date would say that the reading knew of the change, and the look for missed changes would pass it over.
  expect(order?.updatedAt).toEqual(new Date("2026-11-20T00:01:00Z"));
});

test.each([
  ["to the same page", ["a", "a"]],
  ["to an earlier page", ["a", "b", "a"]],
])("an order whose pages lead back %s is not taken for whole", async (_, cursors) => {
  const pages = cursors.map((cursor, number) => page(1, [[number, 1]], cursor));
  const graphql = answering([...pages, page(1, [[9, 1]])]);
  await expect(createStoreOrders(graphql).read(SHOP, orderId)).rejects.toMatchObject(UNREADABLE);
});

test("an order that goes on, nobody is told where, is not taken for whole", async () => {
  const order = page(1, [[1, 1]]);
  order.order.lineItems.pageInfo.hasNextPage = true;
  const read = createStoreOrders(answering([order])).read(SHOP, orderId);
  await expect(read).rejects.toMatchObject(UNREADABLE);
});

test("a list that leads back to its own page is not taken for its end, nor walked for good", async () => {
  const pageInfo = { hasNextPage: true, endCursor: "a" };
  const window = { since: new Date(0), until: new Date(1), after: "a" };
  const orders = createStoreOrderList(answering([{ orders: { nodes: [], pageInfo } }]));
  await expect(orders.page(SHOP, window)).rejects.toMatchObject(UNREADABLE);
  const products = createStoreProducts(answering([{ productVariants: { nodes: [], pageInfo } }]));
  const asked = { after: "a", condition: { kind: "all" } } as const;
  await expect(products.variants(SHOP, asked)).rejects.toMatchObject(UNREADABLE);
});

test.each([
  ["PAID", "0.0", { paid: true, paidInPart: false }],
  ["PARTIALLY_REFUNDED", "0.0", { paid: true, paidInPart: false }],
  // More was given back than what it was for.
  ["PARTIALLY_REFUNDED", "-5.0", { paid: true, paidInPart: false }],
  ["PARTIALLY_REFUNDED", null, { paid: true, paidInPart: false }],
  // One unit was refunded, and another was added that nobody has paid for.
  ["PARTIALLY_REFUNDED", "89.0", { paid: false, paidInPart: true }],
  ["PARTIALLY_PAID", "89.0", { paid: false, paidInPart: true }],
  ["REFUNDED", "89.0", { paid: true, paidInPart: false, isMoneyBack: true }],
  ["VOIDED", "89.0", { paid: false, paidInPart: false, isMoneyBack: true }],
])("reads of an order that is %s and owes %s what was paid", async (status, amount, expected) => {
  const answer = page(1, [[1, 1]]);
  const totalOutstandingSet = amount === null ? null : { shopMoney: { amount } };
  const order = { ...answer.order, displayFinancialStatus: status, totalOutstandingSet };
  const read = createStoreOrders(answering([{ order }])).read(SHOP, orderId);
  expect(await read).toMatchObject(expected);
});

test.each([
  [true, true],
  [false, false],
  [undefined, false],
])(
  "an order without a financial status is paid where its money has come: %s",
  async (fullyPaid, paid) => {
    const answer = page(1, [[1, 1]]);
    const order = { ...answer.order, displayFinancialStatus: null, fullyPaid };
    const read = await createStoreOrders(answering([{ order }])).read(SHOP, orderId);
    expect(read).toMatchObject({ paid, paidInPart: false });
    // The look for missed orders, and whoever names one, judge by the list.
    const orders = { nodes: [order], pageInfo: { hasNextPage: false, endCursor: null } };
    const list = createStoreOrderList(answering([{ orders }, { order }]));
    const window = { since: new Date(0), until: new Date(1), after: null };
    expect((await list.page(SHOP, window)).orders).toMatchObject([{ paid }]);
    expect(await list.find(SHOP, orderId)).toMatchObject({ paid });
  },
);
