import { expect, test } from "vitest";
import type { OpenLine } from "../../modules/orders/order-status-publisher.ts";
import type { AdminGraphql } from "./admin-graphql.ts";
import { createOrderStatusPublisher } from "./order-status-publisher.ts";

test("each place is fulfilled by itself: Shopify refuses a fulfilment from two locations", async () => {
  const sent: unknown[] = [];
  const store: AdminGraphql = async (_shop, _operation, variables, reads) => {
    sent.push(variables);
    return reads.parse({ fulfillmentCreate: { userErrors: [] } });
  };
  const line = (place: string, number: number): OpenLine => ({
    fulfillmentOrderId: place,
    fulfillmentOrderLineId: `${place} line ${number}`,
    lineItemId: `gid://shopify/LineItem/${number}`,
    remaining: 1,
  });
  await createOrderStatusPublisher(store).fulfil("a.myshopify.com", [
    { line: line("Sydney", 1), quantity: 1 },
    { line: line("Perth", 2), quantity: 1 },
    { line: line("Sydney", 3), quantity: 1 },
  ]);
  expect(sent).toEqual(
    [["Sydney", [1, 3]] as const, ["Perth", [2]] as const].map(([place, lines]) => ({
      fulfillment: {
        notifyCustomer: false,
        lineItemsByFulfillmentOrder: [
          {
            fulfillmentOrderId: place,
            fulfillmentOrderLineItems: lines.map((number) => ({
              id: `${place} line ${number}`,
              quantity: 1,
            })),
          },
        ],
      },
    })),
  );
});
