import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readAppConfig } from "../config/app-config.ts";
import { type OpenStore, openStore } from "../testing/open-store.ts";
import { customerId, placeOrder, productId, variantId } from "../testing/seeded.ts";
import { includeFields } from "./include-fields.ts";
import { exampleOf, shapeProblems } from "./published-shape.ts";

// Every topic of the app's own shopify.app.toml is brought about as it would be in a shop, and what arrives at the app
// is held against Shopify's published example.

let store: OpenStore;
beforeEach(async () => {
  store = await openStore();
  await store.session();
});
afterEach(() => store.close());

const config = readAppConfig(join(import.meta.dirname, "../../../shopify.app.toml"));
const topics = [...new Set(config.subscriptions.map((subscription) => subscription.topic))];

const encoded = encodeURIComponent;
const orderAction = (action: string, body: (lineItemId: string) => object) => async () => {
  const order = await placeOrder(store, {
    lines: [{ variantId: await variantId(store, "SWAB-100"), quantity: 3 }],
  });
  await store.ok("POST", `/orders/${encoded(order.id)}/${action}`, body(order.lines[0]?.id ?? ""));
};
const refund = orderAction("refunds", (lineItemId) => ({ lines: [{ lineItemId, quantity: 1 }] }));

/** Fulfils one unit of an order of so many. */
async function fulfil(quantity: number) {
  const scopes = [...config.scopes, "write_merchant_managed_fulfillment_orders"];
  await store.ok("PUT", "/app", { scopes });
  const { id } = await placeOrder(store, {
    lines: [{ variantId: await variantId(store, "SWAB-100"), quantity }],
  });
  const { body } = await store.graphql(
    "query ($id: ID!) { order(id: $id) { fulfillmentOrders(first: 1) { nodes { id lineItems(first: 1) { nodes { id } } } } } }",
    { id },
  );
  const [open] = Object(body.data?.order).fulfillmentOrders.nodes;
  const fulfillmentOrderLineItems = [{ id: open.lineItems.nodes[0].id, quantity: 1 }];
  await store.graphql(
    "mutation ($fulfillment: FulfillmentInput!) { fulfillmentCreate(fulfillment: $fulfillment) { userErrors { message } } }",
    {
      fulfillment: {
        lineItemsByFulfillmentOrder: [{ fulfillmentOrderId: open.id, fulfillmentOrderLineItems }],
      },
    },
  );
}

const cause: Record<string, () => Promise<unknown>> = {
  "orders/create": () => placeOrder(store),
  "orders/paid": () => placeOrder(store),
  "orders/updated": refund,
  "orders/edited": orderAction("edit", (lineItemId) => ({ lines: [{ lineItemId, quantity: 2 }] })),
  "orders/cancelled": orderAction("cancel", () => ({})),
  "orders/delete": async () =>
    store.ok("DELETE", `/orders/${encoded((await placeOrder(store)).id)}`),
  "refunds/create": refund,
  "orders/risk_assessment_changed": async () => {
    const { id } = await placeOrder(store);
    await store.ok("PUT", `/orders/${encoded(id)}/risk`, { risk: "HIGH" });
  },
  "customers/merge": async () =>
    store.ok("POST", "/customers/merge", {
      keptId: await customerId(store),
      deletedId: await customerId(store, "liam.oconnor@example.com"),
    }),
  "customers/create": () =>
    store.ok("POST", "/customers", { email: "new@example.com", firstName: "New" }),
  "products/create": async () =>
    store.ok("POST", "/products", { title: "New", variants: [{ priceCents: 100 }] }),
  "products/update": async () =>
    store.ok("PATCH", `/products/${encoded(await productId(store, "Thyroid Function"))}`, {
      title: "Thyroid",
    }),
  "products/delete": async () =>
    store.ok("DELETE", `/products/${encoded(await productId(store, "Vitamin D"))}`),
  "app/scopes_update": () => store.ok("PUT", "/app", { scopes: "read_products" }),
  "orders/fulfilled": () => fulfil(1),
  "orders/partially_fulfilled": () => fulfil(2),
  "app/uninstalled": () => store.ok("POST", "/uninstall"),
  "customers/data_request": async () =>
    store.ok("POST", "/privacy/customers/data_request", { customerId: await customerId(store) }),
  "customers/redact": async () =>
    store.ok("POST", "/privacy/customers/redact", { customerId: await customerId(store) }),
  "shop/redact": () => store.ok("POST", "/privacy/shop/redact"),
};

const fieldsOf = (topic: string) =>
  config.subscriptions.find((subscription) => subscription.topic === topic)?.includeFields ?? null;

it.each(topics)("%s has the published shape, and of it what was asked for", async (topic) => {
  const act = cause[topic];
  if (!act) throw new Error(`shopify.app.toml names ${topic}, and the store cannot bring it about`);
  await act();
  await store.app.until(() => store.app.webhooks(topic).length > 0);
  const payload: unknown = JSON.parse(store.app.webhooks(topic)[0]?.body ?? "");
  const fields = fieldsOf(topic);
  const problems = shapeProblems("2026-07", topic, payload);
  expect(fields ? problems.filter((one) => !one.endsWith(" is missing")) : problems).toEqual([]);
  const published = includeFields(Object(exampleOf("2026-07", topic)), fields);
  expect(keysOf(payload)).toEqual(keysOf(published));
});

/** The names of an object's fields, and of the object under `order_edit`, which is sent in part. */
const keysOf = (payload: unknown) => {
  const { order_edit: edit, ...rest } = Object(payload);
  return [...Object.keys(rest), ...Object.keys(Object(edit))].sort();
};

it("tells nobody's name, address, e-mail or phone in an order's messages", async () => {
  const { id } = await placeOrder(store);
  await store.ok("POST", `/orders/${encoded(id)}/cancel`, {});
  await store.app.until(() => store.app.webhooks("orders/updated").length > 0);
  const bodies = ["orders/paid", "orders/cancelled", "refunds/create", "orders/updated"].flatMap(
    (topic) => store.app.webhooks(topic).map(({ body }) => body),
  );
  expect(bodies.length).toBeGreaterThan(3);
  // An order's is its number, "#1001".
  for (const body of bodies) expect(JSON.parse(body).name ?? "#1").toMatch(/^#\d+$/);
  for (const body of bodies)
    expect(body).toMatch(
      /^\{("(id|order_id|admin_graphql_api_id|updated_at|created_at|name|test)":[^{}[\]]*)+\}$/,
    );
});

it("sends nothing for which the app has no scope", async () => {
  await store.ok("PUT", "/app", {
    scopes: config.scopes.filter((scope) => scope !== "read_customer_merge"),
  });
  await cause["customers/merge"]?.();
  await placeOrder(store);
  await store.app.until(() => store.app.webhooks("orders/paid").length === 1);
  expect(store.app.webhooks("customers/merge")).toEqual([]);
});

it("sends nothing about customers before the app is approved for their data", async () => {
  await store.ok("PUT", "/app", { protectedCustomerData: { customerData: false } });
  await placeOrder(store);
  await cause["products/update"]?.();
  await store.app.until(() => store.app.webhooks("products/update").length === 1);
  expect(store.app.webhooks("orders/paid")).toEqual([]);
});

it("sends shop/redact 48 hours after uninstalling, unless the app is back", async () => {
  await store.ok("POST", "/uninstall");
  await store.ok("POST", "/clock", { advanceSeconds: 47 * 3600 });
  await store.session();
  await store.ok("POST", "/clock", { advanceSeconds: 2 * 3600 });
  expect(store.app.webhooks("shop/redact")).toHaveLength(0);
  await store.ok("POST", "/uninstall");
  await store.ok("POST", "/clock", { advanceSeconds: 49 * 3600 });
  await store.app.until(() => store.app.webhooks("shop/redact").length === 1);
});
