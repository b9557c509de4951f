import { expect, test } from "vitest";
import { gid } from "../../modules/kernel/ids.ts";
import type { OpenLine } from "../../modules/orders/order-status-publisher.ts";
import type { AdminGraphql } from "./admin-graphql.ts";
import { createOrderStatusPublisher } from "./order-status-publisher.ts";
import { StoreError } from "./store-error.ts";

/** One unit that is open at a place. */
const line = (place: string, number = 1): OpenLine => ({
  fulfillmentOrderId: place,
  fulfillmentOrderLineId: `${place} line ${number}`,
  lineItemId: `gid://shopify/LineItem/${number}`,
  remaining: 1,
  fulfilled: 0,
});

test("each place is fulfilled by itself: Shopify refuses a fulfilment from two locations", async () => {
  const sent: unknown[] = [];
  const store: AdminGraphql = async (_shop, _operation, variables, reads) => {
    sent.push(variables);
    return reads.parse({ fulfillmentCreate: { userErrors: [] } });
  };
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

test("finds every line of a large order that is still to be fulfilled, place by place", async () => {
  const lines = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => ({
      id: `line ${from + index}`,
      remainingQuantity: 1,
      lineItem: {
        id: `gid://shopify/LineItem/${from + index}`,
        refundableQuantity: 4,
        unfulfilledQuantity: 1,
      },
    }));
  const page = (nodes: object[], endCursor: string | null) => ({
    nodes,
    pageInfo: { hasNextPage: endCursor !== null, endCursor },
  });
  const answers: Record<string, unknown> = {
    "order null": {
      order: {
        fulfillmentOrders: page([{ id: "Sydney", lineItems: page(lines(1, 40), "40") }], "Sydney"),
      },
    },
    "Sydney 40": { fulfillmentOrder: { lineItems: page(lines(41, 80), "80") } },
    "Sydney 80": { fulfillmentOrder: { lineItems: page(lines(81, 90), null) } },
    "order Sydney": {
      order: {
        fulfillmentOrders: page([{ id: "Perth", lineItems: page(lines(91, 91), null) }], null),
      },
    },
  };
  const store: AdminGraphql = async (_shop, _operation, { id, after }, reads) =>
    reads.parse(answers[`${id} ${after}`.replace(/^gid\S+/, "order")]);
  const found = await createOrderStatusPublisher(store).openLines(
    "a.myshopify.com",
    "gid://shopify/Order/1",
    [],
  );
  expect(found.map(({ lineItemId }) => lineItemId)).toEqual(
    lines(1, 91).map(({ lineItem }) => lineItem.id),
  );
  expect(found.at(-1)).toMatchObject({ fulfillmentOrderId: "Perth", fulfilled: 3 });
});

test("a place that Shopify refuses, because it is on hold, keeps no other from being fulfilled", async () => {
  const tried: unknown[] = [];
  const store: AdminGraphql = async (_shop, _operation, variables, reads) => {
    const text = JSON.stringify(variables);
    tried.push(text.includes("Perth") ? "Perth" : "Sydney");
    const userErrors = text.includes("Sydney")
      ? [{ message: "unfulfillable status= on_hold" }]
      : [];
    return reads.parse({ fulfillmentCreate: { userErrors } });
  };
  const fulfilled = createOrderStatusPublisher(store).fulfil("a.myshopify.com", [
    { line: line("Sydney"), quantity: 1 },
    { line: line("Perth"), quantity: 1 },
  ]);
  // A place on hold is tried again later.
  await expect(fulfilled).rejects.toMatchObject({ code: "store_refused" });
  expect(tried).toEqual(["Sydney", "Perth"]);
});

test("says that nobody knows when an answer is lost, and goes on to the other places", async () => {
  const tried: string[] = [];
  const store: AdminGraphql = async (_shop, _operation, variables, reads) => {
    const isPerth = JSON.stringify(variables).includes("Perth");
    tried.push(isPerth ? "Perth" : "Sydney");
    if (!isPerth) throw new StoreError("store_unclear");
    return reads.parse({ fulfillmentCreate: { userErrors: [] } });
  };
  const units = ["Sydney", "Perth"].map((place) => ({ line: line(place), quantity: 1 }));
  const publisher = createOrderStatusPublisher(store);
  expect(await publisher.fulfil("a.myshopify.com", units)).toBe("unclear");
  expect(tried).toEqual(["Sydney", "Perth"]);
});

test("an order that Shopify does not show is none whose lines are all fulfilled", async () => {
  const store: AdminGraphql = async (_shop, _operation, _variables, reads) =>
    reads.parse({ order: null });
  await expect(
    createOrderStatusPublisher(store).openLines("a.myshopify.com", "gid://shopify/Order/1", []),
  ).rejects.toMatchObject({ code: "store_refused" });
});

test("tells of units at a place that Shopify does not show, and refuses to call them fulfilled", async () => {
  const none = { hasNextPage: false, endCursor: null };
  const whole = (number: number, refundableQuantity: number, unfulfilledQuantity: number) => ({
    ...{ id: `gid://shopify/LineItem/${number}`, refundableQuantity, unfulfilledQuantity },
  });
  // The first line has one unit in Sydney and one elsewhere; the second is elsewhere; the third was fulfilled there.
  const shown = [{ id: "1 in Sydney", remainingQuantity: 1, lineItem: whole(1, 2, 2) }];
  const asked: unknown[] = [];
  const store: AdminGraphql = async (_shop, operation, variables, reads) => {
    asked.push(variables);
    if (operation.includes("fulfillmentCreate"))
      return reads.parse({ fulfillmentCreate: { userErrors: [] } });
    if ("ids" in variables) return reads.parse({ nodes: [whole(2, 1, 1), whole(3, 1, 0), null] });
    const place = { id: "Sydney", lineItems: { nodes: shown, pageInfo: none } };
    return reads.parse({ order: { fulfillmentOrders: { nodes: [place], pageInfo: none } } });
  };
  const publisher = createOrderStatusPublisher(store);
  const ids = [1, 2, 3, 4].map((number) => gid("LineItem", number));
  const lines = await publisher.openLines("a.myshopify.com", "gid://shopify/Order/1", ids);
  expect(asked.at(-1)).toEqual({ ids: ids.slice(1) });
  const places = lines.map((one) => [one.lineItemId, one.fulfillmentOrderId, one.remaining]);
  expect(places).toEqual([
    [ids[0], "Sydney", 1],
    [ids[0], null, 1],
    [ids[1], null, 1],
    [ids[2], null, 0],
  ]);
  const units = lines.map((line) => ({ line, quantity: 1 })).slice(0, 2);
  await expect(publisher.fulfil("a.myshopify.com", units)).rejects.toMatchObject({
    code: "store_refused",
  });
  expect(asked.slice(2)).toMatchObject([
    { fulfillment: { lineItemsByFulfillmentOrder: [{ fulfillmentOrderId: "Sydney" }] } },
  ]);
});
