import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Json, type OpenStore, openStore } from "../testing/open-store.ts";
import { customerId, placeOrder, productId, variantId } from "../testing/seeded.ts";

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
const orderEmail =
  "query ($id: ID!) { order(id: $id) { name email phone customer { firstName } } }";

describe("the schema", () => {
  it("refuses a field that Shopify does not have", async () => {
    expect(await errorsOf("{ shop { dose } }")).toMatchObject([
      {
        message: "Field 'dose' doesn't exist on type 'Shop'",
        extensions: { code: "undefinedField", typeName: "Shop", fieldName: "dose" },
      },
    ]);
  });

  it("answers a field that it does not model with an error, not an invention", async () => {
    expect(await errorsOf("{ shop { navigationSettings { id } } }")).toMatchObject([
      { extensions: { code: "NOT_MODELLED" }, path: ["shop", "navigationSettings"] },
    ]);
    expect(
      await errorsOf("mutation { orderClose(input: { id: 1 }) { order { id } } }"),
    ).toHaveLength(1);
  });

  it("refuses a wrong token, another version, a list without first or last", async () => {
    expect(await store.graphql("{ shop { name } }", {}, "shpat_wrong")).toMatchObject({
      status: 401,
    });
    const elsewhere = await fetch(`${store.ready.api_url}/admin/api/2019-04/graphql.json`, {
      method: "POST",
    });
    expect(elsewhere.status).toBe(404);
    expect(await errorsOf("{ products { nodes { id } } }")).toMatchObject([
      { message: "you must provide one of first or last" },
    ]);
    expect(await errorsOf("{ products(first: 251) { nodes { id } } }")).toHaveLength(1);
  });
});

describe("access", () => {
  it("needs the scope of a type", async () => {
    await grant("read_products");
    const order = await placeOrder(store);
    const { body } = await run("query ($id: ID!) { shop { name } order(id: $id) { id } }", {
      id: order.id,
    });
    expect(body.data).toEqual({ shop: { name: "Harbour Pathology" }, order: null });
    expect(body.errors).toMatchObject([
      {
        message: expect.stringContaining(
          "Access denied for order field. Required access: `read_orders`",
        ),
        path: ["order"],
        extensions: { code: "ACCESS_DENIED", documentation: expect.any(String) },
      },
    ]);
    const node = await errorsOf("query ($id: ID!) { node(id: $id) { id } }", { id: order.id });
    expect(node).toMatchObject([{ extensions: { code: "ACCESS_DENIED" } }]);
  });

  it("needs the write scope to write, which includes reading", async () => {
    const { id } = await placeOrder(store);
    const add =
      'mutation ($id: ID!) { tagsAdd(id: $id, tags: ["form ready"]) { node { id } userErrors { message } } }';
    expect(await errorsOf(add, { id })).toMatchObject([{ extensions: { code: "ACCESS_DENIED" } }]);
    await grant("write_orders");
    expect(await run(add, { id })).toMatchObject({
      body: { data: { tagsAdd: { userErrors: [] } } },
    });
    expect(await run("query ($id: ID!) { order(id: $id) { tags } }", { id })).toMatchObject({
      body: { data: { order: { tags: ["form ready"] } } },
    });
  });

  it("gives protected fields as null beside errors until they are approved", async () => {
    const { id } = await placeOrder(store);
    await store.ok("PUT", "/app", { protectedCustomerData: { email: false, name: false } });
    const { status, body } = await run(orderEmail, { id });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      order: { name: "#1001", email: null, customer: { firstName: null } },
    });
    expect(body.errors).toMatchObject([
      { path: ["order", "email"], extensions: { code: "ACCESS_DENIED" } },
      { path: ["order", "customer", "firstName"] },
    ]);
    await store.ok("PUT", "/app", { protectedCustomerData: { customerData: false } });
    expect(await errorsOf(orderEmail, { id })).toMatchObject([
      { message: expect.stringContaining("not approved to access the Order object") },
    ]);
  });

  it("hides orders older than 60 days without read_all_orders", async () => {
    const old = await placeOrder(store, { createdAt: "2026-01-05T00:00:00Z" });
    const query = "query ($id: ID!) { order(id: $id) { id } orders(first: 5) { nodes { id } } }";
    expect((await run(query, { id: old.id })).body.data).toEqual({
      order: null,
      orders: { nodes: [] },
    });
    await grant("read_orders,read_all_orders");
    expect((await run(query, { id: old.id })).body.data).toMatchObject({ order: { id: old.id } });
  });
});

describe("cost", () => {
  it("is told with every answer and taken from the bucket", async () => {
    const { body } = await run(
      "{ products(first: 20) { nodes { id variants(first: 10) { nodes { id } } } } }",
    );
    expect(body.extensions?.cost).toMatchObject({
      throttleStatus: { maximumAvailable: 2000, restoreRate: 100 },
    });
    const { requestedQueryCost, actualQueryCost } = body.extensions?.cost ?? {};
    expect(requestedQueryCost).toBe(2 + 20 * (1 + 2 + 10));
    expect(actualQueryCost).toBeLessThan(requestedQueryCost ?? 0);
  });

  it("throttles when the bucket is empty, and recovers", async () => {
    const dear = "{ products(first: 200) { nodes { id variants(first: 1) { nodes { id } } } } }";
    const answers = await Promise.all(Array.from({ length: 60 }, () => run(dear)));
    const throttled = answers.filter(({ body }) => body.errors !== undefined);
    expect(throttled.length).toBeGreaterThan(0);
    expect(throttled[0]).toMatchObject({
      status: 200,
      body: { errors: [{ message: "Throttled", extensions: { code: "THROTTLED" } }] },
    });
    await expect
      .poll(async () => (await run("{ shop { name } }")).body.errors, { timeout: 3_000 })
      .toBeUndefined();
  });

  it("refuses an operation of more than 1,000 points", async () => {
    expect(
      await errorsOf(
        "{ products(first: 250) { nodes { variants(first: 100) { nodes { id } } } } }",
      ),
    ).toMatchObject([{ extensions: { code: "MAX_COST_EXCEEDED" } }]);
  });

  it("fails as told by faults", async () => {
    await store.ok("PUT", "/faults", { throttle: 1 });
    expect(await errorsOf("{ shop { name } }")).toMatchObject([
      { extensions: { code: "THROTTLED" } },
    ]);
    expect(await errorsOf("{ shop { name } }")).toEqual([]);
    await store.ok("PUT", "/faults", {
      graphqlStatus: { status: 502, times: 1 },
      graphqlLatencyMs: 60,
    });
    const before = performance.now();
    expect(await run("{ shop { name } }")).toMatchObject({ status: 502 });
    expect(performance.now() - before).toBeGreaterThan(50);
    expect(await run("{ shop { name } }")).toMatchObject({ status: 200 });
    await store.ok("PUT", "/faults", { graphqlStatus: 401 });
    expect(await run("{ shop { name } }")).toMatchObject({ status: 401 });
    await store.ok("PUT", "/faults", {});
    expect(await run("{ shop { name } }")).toMatchObject({ status: 200 });
  });
});

describe("lists", () => {
  const page = async (after: string | null) => {
    const { body } = await run(
      "query ($after: String) { orders(first: 2, after: $after, sortKey: CREATED_AT, reverse: true) { nodes { name } pageInfo { hasNextPage endCursor } } }",
      { after },
    );
    return body.data?.orders as {
      nodes: { name: string }[];
      pageInfo: { hasNextPage: boolean; endCursor: string };
    };
  };

  it("go on from a cursor even when newer items came in between", async () => {
    for (let count = 0; count < 3; count += 1) await placeOrder(store);
    const first = await page(null);
    expect(first.nodes.map((order) => order.name)).toEqual(["#1003", "#1002"]);
    expect(first.pageInfo.hasNextPage).toBe(true);
    await placeOrder(store);
    const second = await page(first.pageInfo.endCursor);
    expect(second.nodes.map((order) => order.name)).toEqual(["#1001"]);
    expect(second.pageInfo.hasNextPage).toBe(false);
  });

  it("are searched with Shopify's syntax", async () => {
    const names = async (query: string) => {
      const { body } = await run(
        "query ($query: String) { orders(first: 10, query: $query) { nodes { name } } }",
        { query },
      );
      return body.data?.orders ?? body.errors;
    };
    await placeOrder(store, { tags: ["form ready"] });
    await placeOrder(store, { test: true });
    expect(await names("financial_status:paid AND tag:'form ready'")).toEqual({
      nodes: [{ name: "#1001" }],
    });
    expect(await names("test:true OR name:1001")).toMatchObject({ nodes: { length: 2 } });
    expect(await names("-test:true")).toEqual({ nodes: [{ name: "#1001" }] });
    expect(await names("created_at:>2100-01-01")).toEqual({ nodes: [] });
    expect(await names("colour:red")).toMatchObject([{ extensions: { code: "NOT_MODELLED" } }]);
    const id = (await variantId(store, "TFT-FULL")).split("/").at(-1);
    const { body } = await run(
      "query ($query: String) { productVariants(first: 5, query: $query) { nodes { sku } } }",
      { query: `id:${id}` },
    );
    expect(body.data).toEqual({ productVariants: { nodes: [{ sku: "TFT-FULL" }] } });
  });
});

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

describe("metafields", () => {
  const set =
    "mutation ($metafields: [MetafieldsSetInput!]!) { metafieldsSet(metafields: $metafields) { metafields { namespace key compareDigest } userErrors { code field message elementIndex } } }";

  it("of the app's own namespace are written and read as $app", async () => {
    await grant("write_orders");
    const { id } = await placeOrder(store);
    const field = {
      ownerId: id,
      namespace: "$app",
      key: "status",
      type: "single_line_text_field",
      value: "form ready",
    };
    const { body } = await run(set, { metafields: [field] });
    expect(body.data?.metafieldsSet).toMatchObject({
      metafields: [{ namespace: expect.stringMatching(/^app--\d+$/), key: "status" }],
      userErrors: [],
    });
    const read = await run(
      'query ($id: ID!) { order(id: $id) { metafield(namespace: "$app", key: "status") { value } other: metafield(namespace: "custom", key: "status") { value } } }',
      { id },
    );
    expect(read.body.data).toEqual({ order: { metafield: { value: "form ready" }, other: null } });
    const stale = await run(set, { metafields: [{ ...field, compareDigest: "0" }] });
    expect(stale.body.data?.metafieldsSet).toMatchObject({
      userErrors: [{ code: "STALE_OBJECT" }],
    });
    const bad = await run(set, { metafields: [field, { ...field, type: "number_integer" }] });
    expect(bad.body.data?.metafieldsSet).toMatchObject({
      metafields: null,
      userErrors: [{ code: "INVALID_VALUE", elementIndex: 1 }],
    });
  });

  it("of the app's installation need no scope", async () => {
    const installation = await run(
      "{ currentAppInstallation { id accessScopes { handle } app { handle } } }",
    );
    const { id } = Object(installation.body.data?.currentAppInstallation);
    const field = {
      ownerId: id,
      namespace: "settings",
      key: "turnaround",
      type: "json",
      value: '{"days":2}',
    };
    expect((await run(set, { metafields: [field] })).body.data?.metafieldsSet).toMatchObject({
      userErrors: [],
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
    await fulfil(1);
    expect(await read()).toMatchObject({
      displayFulfillmentStatus: "FULFILLED",
      fulfillmentOrders: { nodes: [{ status: "CLOSED" }] },
    });
    await store.app.until(() => store.app.webhooks("orders/updated").length === 2);
  });

  it("needs its own scope", async () => {
    expect(
      await errorsOf(create, { fulfillment: { lineItemsByFulfillmentOrder: [] } }),
    ).toMatchObject([{ extensions: { code: "ACCESS_DENIED" } }]);
  });
});

it("keeps shops apart", async () => {
  await store.ok("POST", "/shops", { shop: "other.myshopify.com" });
  const order = await placeOrder(store);
  const other = await store.ok("GET", "/tokens/admin?shop=other.myshopify.com");
  const { session } = await store.library.auth.tokenExchange({
    shop: "other.myshopify.com",
    sessionToken: String(other.token),
    requestedTokenType: "urn:shopify:params:oauth:token-type:offline-access-token" as never,
    expiring: true,
  });
  const response = await fetch(`${store.ready.api_url}/admin/api/2026-07/graphql.json`, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "X-Forwarded-Host": "other.myshopify.com",
      "X-Shopify-Access-Token": session.accessToken ?? "",
    },
    body: JSON.stringify({
      query:
        "query ($id: ID!, $customer: ID!) { order(id: $id) { id } customer(id: $customer) { id } shop { myshopifyDomain } }",
      variables: { id: order.id, customer: await customerId(store) },
    }),
  });
  expect(await response.json()).toMatchObject({
    data: { order: null, customer: null, shop: { myshopifyDomain: "other.myshopify.com" } },
  });
  expect(await store.graphql("{ shop { name } }", {}, session.accessToken)).toMatchObject({
    status: 401,
  });
});
