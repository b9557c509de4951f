import { expect, test } from "vitest";
import { gid } from "../../modules/kernel/ids.ts";
import type { AdminGraphql } from "./admin-graphql.ts";
import { createStoreOrders } from "./store-orders.ts";

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

test("dates an order by its first page: what changed between two pages was not seen on the first", async () => {
  const pages = [page(1, [[1, 3]], "a"), page(5, [[2, 1]])];
  const graphql: AdminGraphql = async (_shop, _operation, _variables, reads) =>
    reads.parse(pages.shift());
  const order = await createStoreOrders(graphql).read("a.myshopify.com", orderId);
  expect(order?.lines.map(({ currentQuantity }) => currentQuantity)).toEqual([3, 1]);
  // A later date would say that the reading knew of the change, and the look for missed changes would pass it over.
  expect(order?.updatedAt).toEqual(new Date("2026-11-20T00:01:00Z"));
});
