import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Json, type OpenStore, openStore } from "../testing/open-store.ts";
import { placeOrder, productId, variantId } from "../testing/seeded.ts";

let store: OpenStore;
let token: string;
beforeEach(async () => {
  store = await openStore();
  token = (await store.session()).accessToken ?? "";
});
afterEach(() => store.close());

const run = (query: string, variables: Json = {}) => store.graphql(query, variables, token);
const errorsOf = async (query: string, variables: Json = {}) => {
  const { errors } = (await run(query, variables)).body;
  return Array.isArray(errors) ? errors : [];
};
const grant = (scopes: string) => store.ok("PUT", "/app", { scopes });

describe("orders", () => {
  it("show refunds, edits and cancellation in their quantities and statuses", async () => {
    const order = await placeOrder(store, {
      lines: [{ variantId: await variantId(store), quantity: 3 }],
    });
    const [line] = order.lines;
    const path = `/orders/${encodeURIComponent(order.id)}`;
    const read = async () =>
      (
        await run(
          "query ($id: ID!) { order(id: $id) { displayFinancialStatus cancelledAt lineItems(first: 5) { nodes { title quantity currentQuantity refundableQuantity } } refunds { refundLineItems(first: 5) { nodes { quantity lineItem { id } } } } } }",
          { id: order.id },
        )
      ).body.data?.order;

    await store.ok("POST", `${path}/refunds`, { lines: [{ lineItemId: line?.id, quantity: 1 }] });
    expect(await read()).toMatchObject({
      displayFinancialStatus: "PARTIALLY_REFUNDED",
      lineItems: { nodes: [{ quantity: 3, currentQuantity: 2, refundableQuantity: 2 }] },
      refunds: [{ refundLineItems: { nodes: [{ quantity: 1, lineItem: { id: line?.id } }] } }],
    });
    expect(
      await store.control("POST", `${path}/refunds`, {
        lines: [{ lineItemId: line?.id, quantity: 3 }],
      }),
    ).toMatchObject({ status: 422, body: { error: expect.stringContaining("only 2 units") } });

    await store.ok("POST", `${path}/edit`, {
      lines: [
        { lineItemId: line?.id, quantity: 1 },
        { variantId: await variantId(store, "VITD-25OH"), quantity: 1 },
      ],
    });
    expect(await read()).toMatchObject({
      lineItems: {
        nodes: [
          { quantity: 3, currentQuantity: 1 },
          { title: "Vitamin D", currentQuantity: 1 },
        ],
      },
    });
    await store.ok("POST", `${path}/cancel`);
    expect(await read()).toMatchObject({
      displayFinancialStatus: "REFUNDED",
      cancelledAt: expect.any(String),
      lineItems: { nodes: [{ currentQuantity: 0 }, { currentQuantity: 0 }] },
    });
    expect(await store.control("POST", `${path}/cancel`)).toMatchObject({ status: 422 });
  });

  it("wait for money that an edit asks for", async () => {
    const order = await placeOrder(store);
    const path = `/orders/${encodeURIComponent(order.id)}`;
    const edited = await store.ok("POST", `${path}/edit`, {
      lines: [{ variantId: await variantId(store, "VITD-25OH"), quantity: 2 }],
    });
    expect(edited).toMatchObject({ financialStatus: "PARTIALLY_PAID", outstanding: "90.00" });
    expect(await store.ok("POST", `${path}/pay`)).toMatchObject({ financialStatus: "PAID" });
    await store.app.until(() => store.app.webhooks("orders/paid").length === 2);
  });

  it("keep a line whose product is gone", async () => {
    const order = await placeOrder(store);
    await store.ok(
      "DELETE",
      `/products/${encodeURIComponent(await productId(store, "Essential Health Check"))}`,
    );
    const { body } = await run(
      "query ($id: ID!) { order(id: $id) { lineItems(first: 1) { nodes { title product { id } variant { id } } } } }",
      { id: order.id },
    );
    expect(body.data?.order).toEqual({
      lineItems: { nodes: [{ title: "Essential Health Check", product: null, variant: null }] },
    });
  });
});

describe("fulfilment", () => {
  const create =
    "mutation ($fulfillment: FulfillmentInput!) { fulfillmentCreate(fulfillment: $fulfillment) { fulfillment { status totalQuantity } userErrors { field message } } }";

  it("fulfils some units, then the rest, and tells of it", async () => {
    await grant("read_orders,write_merchant_managed_fulfillment_orders");
    const { id } = await placeOrder(store);
    const read = async () =>
      (
        await run(
          "query ($id: ID!) { order(id: $id) { displayFulfillmentStatus fulfillmentOrders(first: 5) { nodes { id status lineItems(first: 5) { nodes { id remainingQuantity } } } } } }",
          { id },
        )
      ).body.data?.order as {
        fulfillmentOrders: { nodes: { id: string; lineItems: { nodes: { id: string }[] } }[] };
      };
    const [open] = (await read()).fulfillmentOrders.nodes;
    const fulfil = (quantity: number) =>
      run(create, {
        fulfillment: {
          lineItemsByFulfillmentOrder: [
            {
              fulfillmentOrderId: open?.id,
              fulfillmentOrderLineItems: [{ id: open?.lineItems.nodes[0]?.id, quantity }],
            },
          ],
        },
      });
    expect((await fulfil(1)).body.data?.fulfillmentCreate).toMatchObject({
      fulfillment: { status: "SUCCESS", totalQuantity: 1 },
      userErrors: [],
    });
    expect(await read()).toMatchObject({
      displayFulfillmentStatus: "PARTIALLY_FULFILLED",
      fulfillmentOrders: {
        nodes: [{ status: "IN_PROGRESS", lineItems: { nodes: [{ remainingQuantity: 1 }] } }],
      },
    });
    expect((await fulfil(2)).body.data?.fulfillmentCreate).toMatchObject({
      fulfillment: null,
      userErrors: [{ message: expect.stringContaining("quantity") }],
    });
    const line = { id: open?.lineItems.nodes[0]?.id, quantity: 1 };
    const part = { fulfillmentOrderId: open?.id, fulfillmentOrderLineItems: [line] };
    for (const parts of [[part, part], [{ ...part, fulfillmentOrderLineItems: [line, line] }]])
      expect(
        (await run(create, { fulfillment: { lineItemsByFulfillmentOrder: parts } })).body.data
          ?.fulfillmentCreate,
      ).toMatchObject({ fulfillment: null });
    await fulfil(1);
    expect(await read()).toMatchObject({
      displayFulfillmentStatus: "FULFILLED",
      fulfillmentOrders: { nodes: [{ status: "CLOSED" }] },
    });
    await store.app.until(() => store.app.webhooks("orders/updated").length === 2);
  });

  it("takes units from several fulfilment orders of one order, and names what does not fit", async () => {
    await grant("read_orders,write_merchant_managed_fulfillment_orders");
    const { id } = await placeOrder(store);
    const added = { variantId: await variantId(store, "SWAB-100"), quantity: 2 };
    await store.ok("POST", `/orders/${encodeURIComponent(id)}/edit`, { lines: [added] });
    const open = async () => {
      const { body } = await run(
        `query ($id: ID!) { order(id: $id) { fulfillmentOrders(first: 5, query: "status:open") { nodes { id lineItems(first: 5) { nodes { id } } } } } }`,
        { id },
      );
      const { fulfillmentOrders } = Object(body.data?.order);
      return fulfillmentOrders.nodes as { id: string; lineItems: { nodes: { id: string }[] } }[];
    };
    const fulfil = async (parts: object[]) =>
      (await run(create, { fulfillment: { lineItemsByFulfillmentOrder: parts } })).body.data
        ?.fulfillmentCreate;
    const orders = await open();
    expect(orders).toHaveLength(2);
    const [first, second] = orders;
    const foreignLine = [{ id: second?.lineItems.nodes[0]?.id, quantity: 1 }];
    expect(
      await fulfil([{ fulfillmentOrderId: first?.id, fulfillmentOrderLineItems: foreignLine }]),
    ).toMatchObject({
      fulfillment: null,
      userErrors: [{ message: expect.stringContaining("line item") }],
    });
    expect(await fulfil(orders.map((entry) => ({ fulfillmentOrderId: entry.id })))).toMatchObject({
      fulfillment: { totalQuantity: 4 },
      userErrors: [],
    });
    expect(await open()).toEqual([]);
  });

  it("needs its own scope", async () => {
    expect(
      await errorsOf(create, { fulfillment: { lineItemsByFulfillmentOrder: [] } }),
    ).toMatchObject([{ extensions: { code: "ACCESS_DENIED" } }]);
  });
});
