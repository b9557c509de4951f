/** Long because each answer that Shopify gives to a call is read: data, refusals, throttling, lost sessions, its own failures. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Session } from "@shopify/shopify-api";
import { afterAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { movableClock } from "../../../test/database/clock.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { installedShop, mapVariant } from "../../../test/database/seed.ts";
import { keptLog } from "../../../test/samples/kept-log.ts";
import { gid, type ShopDomain } from "../../modules/kernel/ids.ts";
import { reconcileOrder } from "../../modules/orders/reconcile-order.ts";
import { storeVersions } from "../../platform/counters.ts";
import { createLogger } from "../../platform/logger.ts";
import { API_VERSION } from "./api-version.ts";
import { createOrderStatusPublisher } from "./order-status-publisher.ts";
import { callShopify } from "./platform-fetch.ts";
import { createSessionStorage } from "./session-storage.ts";
import { createShopify } from "./shopify.ts";
import { createStoreAccess } from "./store-access.ts";
import { createStoreOrderList } from "./store-order-list.ts";
import { createStoreOrders } from "./store-orders.ts";
import { createStoreProducts } from "./store-products.ts";

const db = await openTestDatabase();
/** For a store that takes a call and never answers. */
const SILENCE = Symbol("silence");
/** The store's next answer. */
let answer: unknown;
let shop: ShopDomain;

/** Headers of the store's answers beside their type. */
let answerHeaders: Record<string, string> = {};

/** The app was taken off: no token is renewed. */
let hasLeft = false;

/** The answer of something that stands between here and Shopify. */
let inTheWay: { status: number; type: string; body: string } | null = null;

/** No store has the name. */
let isUnknown = false;

/** Tokens that Shopify took back. */
const revoked = new Set<unknown>();

const server = createServer(async (request, response) => {
  for await (const _ of request);
  if (inTheWay) {
    response.writeHead(inTheWay.status, { "content-type": inTheWay.type }).end(inTheWay.body);
    return;
  }
  if (isUnknown) {
    response.writeHead(404, { "content-type": "application/json" });
    response.end(JSON.stringify({ errors: "Not Found" }));
    return;
  }
  if (request.url === "/admin/oauth/access_token" && hasLeft) {
    response.writeHead(400, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: "invalid_grant" }));
    return;
  }
  if (request.url === "/admin/oauth/access_token") {
    response.writeHead(200, { "content-type": "application/json" });
    const fresh = { access_token: "shpat_2", refresh_token: "shprt_2", scope: "read_orders" };
    response.end(
      JSON.stringify({ ...fresh, expires_in: 3_600, refresh_token_expires_in: 7_776_000 }),
    );
    return;
  }
  if (revoked.has(request.headers["x-shopify-access-token"])) {
    response.writeHead(401, { "content-type": "application/json" });
    response.end(JSON.stringify({ errors: "[API] Invalid API key or access token" }));
    return;
  }
  if (answer === SILENCE) return;
  response.writeHead(200, { "content-type": "application/json", ...answerHeaders });
  response.end(JSON.stringify(answer));
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
/** The log's lines: codes, and nothing of what was asked for. */
const { logger, lines: logged } = keptLog("warn");
const apiOrigin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const { graphql } = createShopify({
  database: db,
  sealers: db.sealers,
  logger,
  appUrl: "https://app.example",
  apiKey: "key",
  apiSecret: "secret",
  apiOrigin,
  onSignedIn: async () => "kept",
});
const orders = createStoreOrders(graphql);
const list = createStoreOrderList(graphql);
const products = createStoreProducts(graphql);

beforeEach(async () => {
  answerHeaders = {};
  hasLeft = false;
  inTheWay = null;
  isUnknown = false;
  revoked.clear();
  logged.length = 0;
  shop = await installedShop(db);
  const sessions = createSessionStorage({
    database: db,
    sealers: db.sealers,
    logger: createLogger("silent"),
    refresh: async () => null,
  });
  await sessions.storeSession(
    new Session({
      id: `offline_${shop}`,
      shop,
      state: "",
      isOnline: false,
      scope: "read_orders",
      accessToken: "shpat_1",
    }),
  );
});

const denied = (...path: (string | number)[]) => ({
  message: "Access denied",
  path,
  extensions: { code: "ACCESS_DENIED" },
});
const ORDER = {
  id: gid("Order", 1001),
  name: "#1001",
  test: false,
  displayFinancialStatus: "PAID",
  cancelledAt: null,
  processedAt: "2026-11-20T00:00:00Z",
  updatedAt: "2026-11-20T00:00:00Z",
  email: null,
  phone: null,
  statusPageUrl: null,
  customer: null,
  lineItems: { nodes: [], pageInfo: { hasNextPage: false, endCursor: null } },
};
const read = () => orders.read(shop, gid("Order", 1001));

test("an order whose buyer may not be seen is read without them", async () => {
  const errors = [denied("order", "email"), denied("order", "customer", "firstName")];
  answer = { data: { order: ORDER }, errors };
  expect(await read()).toMatchObject({ isBuyerHidden: true, buyer: { email: null } });
});

test.each([
  ["the order itself", [denied("order")]],
  ["an order that cannot be given without what is denied in it", [denied("order", "lineItems")]],
  ["the order, beside a field", [denied("shop", "name"), denied("order")]],
  ["something that is not named", [{ ...denied(), path: undefined }]],
])("where access to %s is denied, nobody knows that there is none", async (_, errors) => {
  answer = { data: { order: null }, errors };
  await expect(read()).rejects.toMatchObject({ code: "store_refused" });
});

test.each(["product", "variant"])(
  "an order that hides the %s that a line sold is not taken for one that sold none",
  async (field) => {
    const line = {
      ...{ id: gid("LineItem", 1), title: "Iron", sku: null, isGiftCard: false },
      ...{ quantity: 1, currentQuantity: 1, product: null, variant: null },
    };
    const lineItems = { nodes: [line], pageInfo: { hasNextPage: false, endCursor: null } };
    const errors = [denied("order", "email"), denied("order", "lineItems", "nodes", 0, field)];
    answer = { data: { order: { ...ORDER, lineItems } }, errors };
    await expect(read()).rejects.toMatchObject({ code: "store_refused" });
    // Its product was deleted, which the store says without an error.
    answer = { data: { order: { ...ORDER, lineItems } } };
    expect(await read()).toMatchObject({ lines: [{ productId: null, variantId: null }] });
  },
);

test("a product or a list that may not be seen is refused, and neither gone nor empty", async () => {
  answer = { data: { product: null }, errors: [denied("product")] };
  const condition = { kind: "product", productId: gid("Product", 1) } as const;
  const refused = { code: "store_refused" };
  await expect(products.variants(shop, { after: null, condition })).rejects.toMatchObject(refused);
  answer = { data: { order: null }, errors: [denied("order")] };
  await expect(list.find(shop, "5550001001")).rejects.toMatchObject(refused);
  answer = { data: { metafieldsSet: null }, errors: [denied("metafieldsSet")] };
  expect(await products.publish(shop, gid("Product", 1), "{}")).toEqual({
    kind: "refused",
    code: "ACCESS_DENIED",
  });
});

test.each([
  ["THROTTLED", "Throttled"],
  [
    "INTERNAL_SERVER_ERROR",
    "Internal error. Looks like something went wrong on our end.\nRequest ID: 3221c58f-3446-4843-a452-a517787121c6 (include this in support requests).",
  ],
  ["SHOP_INACTIVE", "Shop is not active"],
])("%s tells that the store is away, and not that it refuses", async (code, message) => {
  const away = { code: "store_unreachable" };
  const errors = [{ message, extensions: { code } }];
  for (const data of [undefined, null, { order: null }]) {
    answer = { data, errors };
    await expect(read()).rejects.toMatchObject(away);
  }
  answer = { errors };
  const condition = { kind: "product", productId: gid("Product", 1) } as const;
  await expect(products.variants(shop, { after: null, condition })).rejects.toMatchObject(away);
  // It is tried again: nobody has taken a permission away.
  await expect(products.publish(shop, gid("Product", 1), "{}")).rejects.toMatchObject(away);
});

test("an order of which something failed at the store is not taken for whole", async () => {
  const failed = {
    message: "Internal error",
    path: ["order", "customer"],
    extensions: { code: "INTERNAL_SERVER_ERROR" },
  };
  answer = { data: { order: ORDER }, errors: [denied("order", "email"), failed] };
  await expect(read()).rejects.toMatchObject({ code: "store_unreachable" });
});

test.each([
  ["INTERNAL_SERVER_ERROR", "store_unclear"],
  ["THROTTLED", "store_unreachable"],
  ["SHOP_INACTIVE", "store_unreachable"],
])("a workflow that met %s in a good answer is %s", async (code, outcome) => {
  const { startFlow } = createOrderStatusPublisher(graphql);
  const errors = [{ message: "Internal error", extensions: { code } }];
  const told = { milestone: "referral_issued", orderId: gid("Order", 1), requestId: null } as const;
  for (const data of [undefined, null, { flowTriggerReceive: null }]) {
    answer = { data, errors };
    await expect(startFlow(shop, told)).rejects.toMatchObject({ code: outcome });
  }
});

test.each([
  ["without a code", [{ message: "Something went wrong" }]],
  ["with a code that is no text", [{ message: "Something went wrong", extensions: { code: 500 } }]],
  ["one of which has no code", [denied("flowTriggerReceive"), { message: "Something went wrong" }]],
])("a workflow that met errors %s may have begun", async (_, errors) => {
  const { startFlow } = createOrderStatusPublisher(graphql);
  const told = { milestone: "referral_issued", orderId: gid("Order", 1), requestId: null } as const;
  for (const data of [undefined, null, { flowTriggerReceive: null }]) {
    answer = { data, errors };
    await expect(startFlow(shop, told)).rejects.toMatchObject({ code: "store_unclear" });
  }
});

test("a workflow that Shopify refuses by a code has not begun", async () => {
  const { startFlow } = createOrderStatusPublisher(graphql);
  const told = { milestone: "referral_issued", orderId: gid("Order", 1), requestId: null } as const;
  answer = { data: { flowTriggerReceive: null }, errors: [denied("flowTriggerReceive")] };
  await expect(startFlow(shop, told)).rejects.toMatchObject({ code: "store_refused" });
});

test("a workflow whose answer can’t be read is one of which nobody knows whether it began", async () => {
  const { startFlow } = createOrderStatusPublisher(graphql);
  answer = { data: { flowTriggerReceive: { userErrors: "none" } } };
  const told = { milestone: "referral_issued", orderId: gid("Order", 1), requestId: null } as const;
  await expect(startFlow(shop, told)).rejects.toMatchObject({ code: "store_unclear" });
});

const publish = (details: string | null) => products.publish(shop, gid("Product", 1), details);

test.each(["INTERNAL_ERROR", "STALE_OBJECT"])(
  "details that met %s are written again",
  async (code) => {
    answer = { data: { metafieldsSet: { userErrors: [{ code, field: null }] } } };
    await expect(publish("{}")).rejects.toMatchObject({ code: "store_unreachable" });
    answer = { data: { metafieldsSet: { userErrors: [{ code: "TOO_LONG", field: null }] } } };
    expect(await publish("{}")).toEqual({ kind: "refused", code: "TOO_LONG" });
  },
);

test("details that the store did not take off a page are not taken for gone", async () => {
  answer = { data: { metafieldsDelete: { userErrors: [] } } };
  expect(await publish(null)).toEqual({ kind: "published" });
  const refused = (...field: string[]) => ({
    data: { metafieldsDelete: { userErrors: [{ field }] } },
  });
  answer = refused("metafields", "0", "key");
  expect(await publish(null)).toEqual({ kind: "refused", code: "INVALID" });
  answer = refused("metafields", "0", "ownerId");
  expect(await publish(null)).toEqual({ kind: "gone" });
});

test("counts answers in another version, and of what Shopify gives up, and says it once for an operation", async () => {
  const counted = (state: string) =>
    storeVersions.values().find(({ labels }) => labels.state === state)?.value ?? 0;
  const before = { retired: counted("retired"), deprecated: counted("deprecated") };
  const said = () => logged.filter(({ code }) => String(code).startsWith("store_version_"));
  answer = { data: { order: ORDER } };
  answerHeaders = { "X-Shopify-API-Version": API_VERSION };
  await read();
  expect(counted("retired")).toBe(before.retired);
  answerHeaders = { "X-Shopify-API-Version": "2027-10" };
  await read();
  await read();
  answerHeaders = { "X-Shopify-API-Deprecated-Reason": "https://shopify.dev/api/usage/versioning" };
  await read();
  expect(counted("retired")).toBe(before.retired + 2);
  expect(counted("deprecated")).toBe(before.deprecated + 1);
  expect(said()).toMatchObject([
    { code: "store_version_retired", version: "2027-10" },
    { code: "store_version_deprecated" },
  ]);
});

test("a store that does not answer is away, long before a page or a job gives up", async () => {
  answer = { data: { order: ORDER } };
  // The library is loaded with the first call, and would set its own limit.
  await read();
  callShopify(apiOrigin, 50);
  onTestFinished(() => callShopify(apiOrigin));
  answer = SILENCE;
  await expect(read()).rejects.toMatchObject({ code: "store_unreachable" });
  answer = { data: { order: ORDER } };
  expect(await read()).toMatchObject({ id: ORDER.id });
});

test("an order is not lost for characters of its texts that no database takes", async () => {
  const variantId = gid("ProductVariant", 1);
  await mapVariant(db, shop, variantId);
  const line = {
    ...{ id: gid("LineItem", 1), title: "Iron \ud83d and \0 zinc 🩸", sku: "\ude00" },
    ...{ quantity: 1, currentQuantity: 1, isGiftCard: false },
    ...{ product: { id: gid("Product", 1) }, variant: { id: variantId } },
  };
  const lineItems = { nodes: [line], pageInfo: { hasNextPage: false, endCursor: null } };
  const customer = { id: gid("Customer", 1), firstName: "Ada\ud800", lastName: "\0" };
  answer = { data: { order: { ...ORDER, name: "#1001\udc00", customer, lineItems } } };
  const ports = { tenancy: db.tenancy, storeOrders: orders, clock: movableClock() };
  const orderId = gid("Order", 1001);
  await expect(reconcileOrder(ports, { shop, orderId })).resolves.toMatchObject({ opened: 1 });
  const [request] = await db.tenancy.inShop(shop, (tenant) => tenant.requests.forOrder(orderId));
  expect(request?.title).toBe("Iron \ufffd and \ufffd zinc 🩸");
});

test("finds nothing where nothing is", async () => {
  answer = { data: { order: null } };
  expect(await read()).toBeNull();
});

async function signInForAnHour() {
  const sessions = createSessionStorage({
    database: db,
    sealers: db.sealers,
    logger: createLogger("silent"),
    refresh: async () => null,
  });
  const stored = await sessions.loadSession(`offline_${shop}`);
  if (!stored) throw new Error("no session");
  stored.expires = new Date(Date.now() + 3_600_000);
  stored.refreshToken = "shprt_1";
  await sessions.storeSession(stored);
  return sessions;
}

test("a token that Shopify took back is renewed by the next call, long before its end", async () => {
  answer = { data: { order: ORDER } };
  await signInForAnHour();
  revoked.add("shpat_1");
  await expect(read()).rejects.toMatchObject({ code: "store_not_signed_in" });
  expect(await read()).toMatchObject({ id: ORDER.id });
});

test("a store that Shopify does not know by its name has neither refused the app nor failed to answer", async () => {
  const access = createStoreAccess(graphql, () => db.tenancy.inShop(shop, (t) => t.shops.find()));
  answer = { data: { order: ORDER } };
  isUnknown = true;
  await expect(read()).rejects.toMatchObject({ code: "store_not_found", retryable: true });
  await expect(access.check(shop)).rejects.toMatchObject({ code: "store_not_found" });
  // Its renewal is met by the same answer.
  await signInForAnHour();
  await db.pool.query("UPDATE sessions SET expires = now() WHERE shop = $1", [shop]);
  await expect(read()).rejects.toMatchObject({ code: "store_not_found" });
});

test("an uninstall is confirmed also when other work met the refusal first, and lost the session by it", async () => {
  answer = { data: { order: ORDER } };
  const sessions = await signInForAnHour();
  const access = createStoreAccess(graphql, () => db.tenancy.inShop(shop, (t) => t.shops.find()));
  revoked.add("shpat_1");
  hasLeft = true;
  await expect(read()).rejects.toMatchObject({ code: "store_not_signed_in" });
  await expect(read()).rejects.toMatchObject({ code: "store_no_session" });
  expect(await sessions.loadSession(`offline_${shop}`)).toBeUndefined();
  expect(await access.check(shop)).toBe("refused");
});

test.each([
  [401, "text/html", "<h1>Sign in to the network</h1>"],
  [403, "text/html", "<h1>Blocked</h1>"],
  [403, "application/json", '{"error":"Forbidden","code":1020}'],
  [401, "application/json", '{"error":true,"message":"Proxy authentication required"}'],
  [401, "application/json", ""],
])(
  "a call that something between here and Shopify refuses (%i, %s %j) signs nobody out, and confirms no uninstall",
  async (status, type, body) => {
    answer = { data: { order: ORDER } };
    const sessions = await signInForAnHour();
    const access = createStoreAccess(graphql, () => db.tenancy.inShop(shop, (t) => t.shops.find()));
    inTheWay = { status, type, body };
    const away = { code: "store_unreachable", retryable: true };
    await expect(read()).rejects.toMatchObject(away);
    await expect(access.check(shop)).rejects.toMatchObject(away);
    expect((await sessions.loadSession(`offline_${shop}`))?.isExpired()).toBe(false);
    // Whether it held back the call or the answer, nobody knows.
    const { startFlow } = createOrderStatusPublisher(graphql);
    const flow = {
      milestone: "attention_needed",
      orderId: gid("Order", 1),
      requestId: null,
    } as const;
    await expect(startFlow(shop, flow)).rejects.toMatchObject({
      code: "store_unclear",
      retryable: false,
    });
    inTheWay = null;
    expect(await read()).toMatchObject({ id: ORDER.id });
  },
);
