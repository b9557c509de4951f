import { createHmac } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type OpenStore, openStore } from "../testing/open-store.ts";
import { deliveries, placeOrder } from "../testing/seeded.ts";

let store: OpenStore;
beforeEach(async () => {
  store = await openStore();
  await store.session();
});
afterEach(() => store.close());

const paid = () => store.app.webhooks("orders/paid");
const signature = (body: string) =>
  createHmac("sha256", store.ready.api_secret).update(body).digest("base64");

describe("a delivery", () => {
  it("carries Shopify's headers and a signature over the raw body", async () => {
    await placeOrder(store);
    await store.app.until(() => paid().length === 1);
    const [delivery] = paid();
    expect(delivery).toMatchObject({
      method: "POST",
      url: "/webhooks",
      headers: {
        "content-type": "application/json",
        "x-shopify-topic": "orders/paid",
        "x-shopify-shop-domain": "pathway-demo.myshopify.com",
        "x-shopify-api-version": "2026-07",
        "x-shopify-hmac-sha256": signature(delivery?.body ?? ""),
        "x-shopify-webhook-id": expect.stringMatching(/^[0-9a-f-]{36}$/),
        "x-shopify-event-id": expect.stringMatching(/^[0-9a-f-]{36}$/),
        "x-shopify-triggered-at": expect.stringMatching(/^\d{4}-.*Z$/),
      },
    });
  });

  it("is tried eight times more with the same body and ids, then given up", async () => {
    store.app.answer = () => ({ status: 500 });
    await placeOrder(store);
    await store.app.until(() => paid().length === 9);
    const ids = new Set(paid().map((attempt) => attempt.headers["x-shopify-webhook-id"]));
    expect(ids.size).toBe(1);
    expect(new Set(paid().map((attempt) => attempt.body)).size).toBe(1);
    await expect
      .poll(() => deliveries(store))
      .toMatchObject([
        {
          topic: "orders/paid",
          status: 500,
          attempts: Array(9).fill({ status: 500 }),
          nextAttemptAt: null,
        },
      ]);
  });

  it("waits for a retry in store time", async () => {
    await store.close();
    store = await openStore({ retryScale: 1 });
    await store.session();
    store.app.answer = () => ({ status: 503 });
    await placeOrder(store);
    await store.app.until(() => paid().length === 1);
    await expect.poll(() => deliveries(store)).toMatchObject([{ status: 503 }]);
    store.app.answer = () => ({ status: 200 });
    await store.ok("POST", "/clock", { advanceSeconds: 58 });
    expect(await deliveries(store)).toMatchObject([{ status: 503 }]);
    await store.ok("POST", "/clock", { advanceSeconds: 2 });
    await store.app.until(() => paid().length === 2);
  });

  it("is sent again by hand", async () => {
    await placeOrder(store);
    await store.app.until(() => paid().length === 1);
    const [logged] = await deliveries(store);
    await store.ok("POST", `/deliveries/${logged?.id}/redeliver`);
    await store.app.until(() => paid().length === 2);
    expect(paid()[1]?.headers["x-shopify-event-id"]).toBe(paid()[0]?.headers["x-shopify-event-id"]);
  });

  it("is not sent to an app that was uninstalled", async () => {
    await store.ok("POST", "/uninstall");
    await placeOrder(store);
    await store.app.until(() => store.app.webhooks("app/uninstalled").length === 1);
    expect(paid()).toHaveLength(0);
  });
});

describe("faults", () => {
  it("drops as many as asked and no more", async () => {
    await store.ok("PUT", "/faults", { webhooks: { drop: 1 } });
    await placeOrder(store);
    await placeOrder(store);
    await store.app.until(() => paid().length === 1);
    await expect
      .poll(() => deliveries(store))
      .toMatchObject([
        { dropped: false, status: 200 },
        { dropped: true, status: null, attempts: [] },
      ]);
  });

  it("gives the messages of one action one event id", async () => {
    const order = await placeOrder(store);
    await store.ok("POST", `/orders/${encodeURIComponent(order.id)}/cancel`, {});
    await store.app.until(() => store.app.webhooks("orders/updated").length === 1);
    const eventId = (topic: string) => store.app.webhooks(topic)[0]?.headers["x-shopify-event-id"];
    expect(eventId("orders/updated")).toBe(eventId("orders/cancelled"));
    expect(eventId("orders/paid")).not.toBe(eventId("orders/cancelled"));
  });

  it("delivers twice at the same time", async () => {
    await store.ok("PUT", "/faults", { webhooks: { duplicate: 1 } });
    await placeOrder(store);
    await store.app.until(() => paid().length === 2);
    const told = (header: string) => new Set(paid().map(({ headers }) => headers[header]));
    expect(told("x-shopify-event-id").size).toBe(1);
    expect(told("x-shopify-webhook-id").size).toBe(2);
    await expect
      .poll(() => deliveries(store))
      .toMatchObject([{ attempts: [{ status: 200 }, { status: 200 }] }]);
  });

  it("holds one back behind the next", async () => {
    await store.ok("PUT", "/faults", { webhooks: { reorder: 1 } });
    const first = await placeOrder(store);
    const second = await placeOrder(store);
    await store.app.until(() => paid().length === 2);
    const orders = paid().map((delivery) => JSON.parse(delivery.body).admin_graphql_api_id);
    expect(orders).toEqual([second.id, first.id]);
  });

  it("signs wrongly, then rightly when it tries again", async () => {
    store.app.answer = ({ headers, body }) =>
      headers["x-shopify-hmac-sha256"] === signature(body) ? { status: 200 } : { status: 401 };
    await store.ok("PUT", "/faults", { webhooks: { badHmac: 1 } });
    await placeOrder(store);
    await store.app.until(() => paid().length === 2);
    await expect
      .poll(() => deliveries(store))
      .toMatchObject([{ attempts: [{ status: 401 }, { status: 200 }], status: 200 }]);
  });

  it("delays", async () => {
    await store.ok("PUT", "/faults", { webhooks: { delayMs: 150 } });
    const before = performance.now();
    await placeOrder(store);
    await store.app.until(() => paid().length === 1);
    expect(performance.now() - before).toBeGreaterThan(140);
  });
});
