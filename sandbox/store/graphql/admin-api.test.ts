import { RequestedTokenType } from "@shopify/shopify-api";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Json, type OpenStore, openStore } from "../testing/open-store.ts";
import { customerId, placeOrder } from "../testing/seeded.ts";

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
      await errorsOf(
        '{ orders(first: 1, savedSearchId: "gid://shopify/SavedSearch/1") { nodes { id } } }',
      ),
    ).toMatchObject([
      {
        message: expect.stringContaining("argument savedSearchId"),
        extensions: { code: "NOT_MODELLED" },
      },
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

it("keeps shops apart", async () => {
  await store.ok("POST", "/shops", { shop: "other.myshopify.com" });
  const order = await placeOrder(store);
  await store.ok("POST", "/install?shop=other.myshopify.com");
  const other = await store.ok("GET", "/tokens/admin?shop=other.myshopify.com");
  const { session } = await store.library.auth.tokenExchange({
    shop: "other.myshopify.com",
    sessionToken: String(other.token),
    requestedTokenType: RequestedTokenType.OfflineAccessToken,
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
