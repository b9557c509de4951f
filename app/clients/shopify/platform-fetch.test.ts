import { createServer, type Server } from "node:http";
import type { Socket } from "node:net";
import { Session } from "@shopify/shopify-api";
import { beforeEach, expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { installedShop } from "../../../test/database/seed.ts";
import { listening } from "../../../test/samples/listening.ts";
import { gid, type ShopDomain } from "../../modules/kernel/ids.ts";
import { appRefused } from "../../platform/counters.ts";
import { createLogger, describeError } from "../../platform/logger.ts";
import { createOrderStatusPublisher } from "./order-status-publisher.ts";
import { callShopify } from "./platform-fetch.ts";
import { createSessionStorage } from "./session-storage.ts";
import { createShopify } from "./shopify.ts";
import { createStoreAccess } from "./store-access.ts";

const db = await openTestDatabase();
const logger = createLogger("silent");
const { graphql } = createShopify({
  ...{ database: db, sealers: db.sealers, logger, appUrl: "https://app.example" },
  ...{ apiKey: "key", apiSecret: "secret", apiOrigin: undefined },
  onSignedIn: async () => "kept",
});
const access = createStoreAccess(graphql, async () => null);
const publisher = createOrderStatusPublisher(graphql);

const DATA = {
  shop: { id: "gid://shopify/Shop/1" },
  flowTriggerReceive: { userErrors: [] },
  fulfillmentCreate: { userErrors: [] },
};
const TOKENS = {
  ...{ access_token: "shpat_2", refresh_token: "shprt_2", scope: "" },
  ...{ expires_in: 3_600, refresh_token_expires_in: 7_776_000 },
};

let shop: ShopDomain;
beforeEach(async () => {
  shop = await installedShop(db);
});

/** A store that closes its idle connections when the next request comes, and breaks or fails as `meets` says. */
async function startStore(
  meets: (name: string, socket: Socket) => number | "breaks" = () => 200,
  refusal: unknown = TOKENS,
  tokens: () => unknown = () => TOKENS,
) {
  const used = new WeakSet<Socket>();
  const arrived: string[] = [];
  const server: Server = createServer(async (request, response) => {
    const { socket } = request;
    if (used.has(socket)) return void socket.resetAndDestroy();
    used.add(socket);
    let body = "";
    for await (const chunk of request) body += chunk;
    const isForTokens = request.url === "/admin/oauth/access_token";
    const name = isForTokens ? "tokens" : (/(?:query|mutation) (\w+)/.exec(body)?.[1] ?? "");
    arrived.push(name);
    const outcome = meets(name, socket);
    if (outcome === "breaks") return void socket.resetAndDestroy();
    response.writeHead(outcome, { "content-type": "application/json" });
    response.end(
      JSON.stringify(!isForTokens ? { data: DATA } : outcome === 200 ? tokens() : refusal),
    );
  });
  // The library is loaded with the first call, and sets its own address.
  expect(await access.check(shop)).toBe("unknown");
  callShopify(`http://127.0.0.1:${await listening(server)}`);
  await signIn(3_600_000);
  return { arrived, server };
}

const signIn = (forMs: number) =>
  createSessionStorage({
    ...{ database: db, sealers: db.sealers, logger, refresh: async () => null },
  }).storeSession(
    new Session({
      ...{ id: `offline_${shop}`, shop, state: "", isOnline: false, scope: "" },
      ...{ accessToken: "shpat_1", refreshToken: "shprt_1" },
      expires: new Date(Date.now() + forMs),
    }),
  );

const startFlow = () =>
  publisher.startFlow(shop, {
    ...{ milestone: "attention_needed", orderId: gid("Order", 1), requestId: null },
  });
const line = {
  fulfillmentOrderId: "gid://shopify/FulfillmentOrder/1",
  fulfillmentOrderLineId: "gid://shopify/FulfillmentOrderLineItem/1",
  lineItemId: gid("LineItem", 1),
  remaining: 2,
  fulfilled: 0,
};
const fulfil = () => publisher.fulfil(shop, [{ line, quantity: 1 }]);

test("a connection that Shopify has closed meanwhile costs no renewal of a token", async () => {
  const { arrived } = await startStore();
  expect(await access.check(shop)).toBe("open");
  await signIn(60_000);
  expect(await access.check(shop)).toBe("open");
  expect(arrived).toEqual(["PathwayShop", "tokens", "PathwayShop"]);
});

test("a token whose renewal breaks is not asked for a second time", async () => {
  const { arrived } = await startStore((name) => (name === "tokens" ? "breaks" : 200));
  await signIn(60_000);
  await expect(access.check(shop)).rejects.toMatchObject({ code: "store_unreachable" });
  expect(arrived).toEqual(["tokens"]);
});

test.each([
  ["a workflow", "PathwayStartFlow", startFlow],
  ["a fulfilment", "PathwayFulfil", fulfil],
])("%s meets no connection that was closed meanwhile", async (_, name, write) => {
  const { arrived } = await startStore();
  await access.check(shop);
  await write();
  await write();
  expect(arrived).toEqual(["PathwayShop", name, name]);
});

test.each([
  ["breaks", "store_unclear", false],
  [500, "store_unclear", false],
  [204, "store_unclear", false],
  [304, "store_unclear", false],
  [101, "store_unclear", false],
  [999, "store_unclear", false],
  [503, "store_unreachable", true],
] as const)("a workflow that meets %s is sent once", async (outcome, code, retryable) => {
  const { arrived } = await startStore(() => outcome);
  await expect(startFlow()).rejects.toMatchObject({ code, retryable });
  expect(arrived).toEqual(["PathwayStartFlow"]);
});

test("a fulfilment that breaks is sent once, and nobody knows what came of it", async () => {
  const { arrived } = await startStore(() => "breaks");
  expect(await fulfil()).toBe("unclear");
  expect(arrived).toEqual(["PathwayFulfil"]);
});

test("a workflow that cannot have been sent is tried again", async () => {
  const { server } = await startStore();
  server.close();
  server.closeAllConnections();
  await expect(startFlow()).rejects.toMatchObject({ code: "store_unreachable", retryable: true });
});

test.each([
  ["a query", () => access.check(shop)],
  ["a workflow", startFlow],
])("%s that does not reach Shopify says by which code", async (_, call) => {
  const { server } = await startStore();
  server.close();
  server.closeAllConnections();
  const error = await call().catch((failure: unknown) => failure);
  expect(error).toMatchObject({ code: "store_unreachable" });
  expect(JSON.stringify(describeError(error))).toContain('"code":"ECONNREFUSED"');
});

/** Shopify's own answer to a refresh token that it does not take any more. */
const REFUSED = {
  error: "invalid_request",
  error_description: "This request requires an active refresh_token",
};

test.each([
  [401, REFUSED],
  [400, { error: "invalid_grant", error_description: "Token has been expired or revoked." }],
])("a renewal that Shopify itself refuses (%i) ends the session", async (status, refusal) => {
  await startStore((name) => (name === "tokens" ? status : 200), refusal);
  await signIn(60_000);
  expect(await access.check(shop)).toBe("unknown");
  expect(await standing()).toEqual([{ access_refused_at: expect.any(Date), hasSession: false }]);
});

test.each([
  [403, { message: "Forbidden" }],
  [403, { error: "Forbidden", code: 1020 }],
  [401, { error: true, message: "Proxy authentication required" }],
  [400, { errors: "Bad Request" }],
  [401, "blocked"],
])(
  "a renewal that something between here and Shopify refuses (%i, %j) costs no session",
  async (status, refusal) => {
    let isInTheWay = true;
    const meets = (name: string) => (name === "tokens" && isInTheWay ? status : 200);
    const { arrived } = await startStore(meets, refusal);
    await signIn(60_000);
    await expect(access.check(shop)).rejects.toMatchObject({ code: "store_unreachable" });
    expect(await standing()).toEqual([{ access_refused_at: null, hasSession: true }]);
    isInTheWay = false;
    expect(await access.check(shop)).toBe("open");
    expect(arrived).toEqual(["tokens", "tokens", "PathwayShop"]);
  },
);

test.each([
  [400, { error: "token_revoked" }],
  [401, { error: "session_ended", error_description: "Sign in again." }],
])(
  "a renewal that is refused under a code that nobody knows (%i, %j) gives no session, so that a visit brings another",
  async (status, refusal) => {
    let isRefused = true;
    const { arrived } = await startStore(
      (name) => (name === "tokens" && isRefused ? status : 200),
      refusal,
    );
    await signIn(60_000);
    await expect(startFlow()).rejects.toMatchObject({ code: "store_no_session", retryable: true });
    // It is no word of an uninstall, and may be over.
    expect(await access.check(shop)).toBe("unknown");
    expect(await standing()).toEqual([{ access_refused_at: null, hasSession: true }]);
    isRefused = false;
    expect(await access.check(shop)).toBe("open");
    expect(arrived).toEqual(["tokens", "tokens", "tokens", "PathwayShop"]);
  },
);

test("a refresh token leaves once: a refusal of one that broke on its way is no word of an uninstall", async () => {
  let asked = 0;
  const { arrived } = await startStore((name) => {
    if (name !== "tokens") return 200;
    asked += 1;
    return asked === 1 ? "breaks" : 401;
  }, REFUSED);
  await signIn(60_000);
  await expect(access.check(shop)).rejects.toMatchObject({ code: "store_unreachable" });
  expect(arrived).toEqual(["tokens"]);
  // It was spent, so that Shopify refuses it.
  expect(await access.check(shop)).toBe("unknown");
  expect(arrived).toEqual(["tokens", "tokens"]);
  expect(await standing()).toEqual([{ access_refused_at: null, hasSession: false }]);
});

const standing = async () => {
  const { rows } = await db.pool.query(
    `SELECT access_refused_at, EXISTS (SELECT FROM sessions WHERE shop = $1) AS "hasSession" FROM shops WHERE shop = $1`,
    [shop],
  );
  return rows;
};

test.each([401, 400])(
  "a refusal of the app's own secret (%i) is no word of any shop: each keeps its session, and goes on once it is right",
  async (status) => {
    let isWrong = true;
    const { arrived } = await startStore((name) => (name === "tokens" && isWrong ? status : 200), {
      error: "invalid_client",
    });
    const before = refusedSoFar();
    await signIn(60_000);
    for (let tries = 0; tries < 3; tries++)
      await expect(access.check(shop)).rejects.toMatchObject({ code: "store_unreachable" });
    expect(refusedSoFar()).toBe(before + 3);
    expect(await standing()).toEqual([{ access_refused_at: null, hasSession: true }]);
    isWrong = false;
    expect(await access.check(shop)).toBe("open");
    expect(arrived).toEqual(["tokens", "tokens", "tokens", "tokens", "PathwayShop"]);
  },
);

test.each([
  ["no token", {}],
  ["an error", { error: true, message: "Try again later" }],
])("a renewal that is answered with %s costs no session", async (_, said) => {
  let renewed: unknown = said;
  const { arrived } = await startStore(
    () => 200,
    undefined,
    () => renewed,
  );
  await signIn(60_000);
  await expect(access.check(shop)).rejects.toMatchObject({ code: "store_unreachable" });
  expect(await standing()).toEqual([{ access_refused_at: null, hasSession: true }]);
  renewed = TOKENS;
  expect(await access.check(shop)).toBe("open");
  expect(arrived).toEqual(["tokens", "tokens", "PathwayShop"]);
});

const refusedSoFar = () => appRefused.values().reduce((sum, { value }) => sum + value, 0);
