/** Long because renewals, sign-ins and leavings meet in every order. */
import { HttpResponseError, Session } from "@shopify/shopify-api";
import { beforeEach, expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { untilWaiting, whoHolds } from "../../../test/database/locks.ts";
import { createLogger } from "../../platform/logger.ts";
import { tolerate } from "../../platform/tolerate.ts";
import { createSessionStorage, type RefreshSession } from "./session-storage.ts";

const SHOP = "one.myshopify.com";
const ID = `offline_${SHOP}`;
const db = await openTestDatabase();
const logger = createLogger("silent");

beforeEach(async () => {
  await db.pool.query("TRUNCATE sessions");
  await db.sealers.forShop(SHOP);
  await db.tenancy.inShop(SHOP, (tenant) => tenant.shops.install("read_orders", new Date()));
});

const hour = 3_600_000;
const offline = (fields: Partial<ConstructorParameters<typeof Session>[0]> = {}) =>
  new Session({
    id: ID,
    shop: SHOP,
    state: "",
    isOnline: false,
    scope: "read_orders",
    expires: new Date(Date.now() + hour),
    accessToken: "shpat_access_1",
    refreshToken: "shprt_refresh_1",
    refreshTokenExpires: new Date(Date.now() + 90 * 24 * hour),
    ...fields,
  });

/** Shopify's side: a refresh token works once. */
function refresher() {
  const used: string[] = [];
  const refresh: RefreshSession = async (_shop, refreshToken) => {
    if (used.includes(refreshToken)) throw new Error("invalid_grant");
    used.push(refreshToken);
    const number = used.length + 1;
    // Shopify takes its time: the others ask meanwhile.
    await new Promise((resolve) => setTimeout(resolve, 20));
    return offline({
      accessToken: `shpat_access_${number}`,
      refreshToken: `shprt_refresh_${number}`,
    });
  };
  return { used, refresh };
}

const never: RefreshSession = async () => {
  throw new Error("not to be called");
};
const storageWith = (refresh: RefreshSession) =>
  createSessionStorage({ database: db, sealers: db.sealers, logger, refresh });

test("a session comes back as it was stored", async () => {
  const storage = storageWith(never);
  const session = offline();
  await storage.storeSession(session);
  expect((await storage.loadSession(ID))?.equals(session)).toBe(true);
  expect(await storage.findSessionsByShop(SHOP)).toHaveLength(1);
  await storage.deleteSessions([ID]);
  expect(await storage.loadSession(ID)).toBeUndefined();
});

test("tokens are not readable in the table, nor openable in each other's place", async () => {
  const storage = storageWith(never);
  await storage.storeSession(offline());
  const { rows } = await db.pool.query("SELECT sessions::text AS text FROM sessions");
  expect(rows[0].text).not.toMatch(/shpat|shprt|7368/);
  await db.pool.query(
    "UPDATE sessions SET access_token_sealed = refresh_token_sealed, refresh_token_sealed = access_token_sealed",
  );
  await expect(storage.loadSession(ID)).rejects.toThrow();
});

test("many loads of a session that is about to expire make one refresh", async () => {
  const { used, refresh } = refresher();
  const storages = Array.from({ length: 4 }, () => storageWith(refresh));
  await storages[0]?.storeSession(offline({ expires: new Date(Date.now() + 60_000) }));
  const loads = Array.from({ length: 20 }, (_, at) => storages[at % 4]?.loadSession(ID));
  const tokens = (await Promise.all(loads)).map((session) => session?.accessToken);
  expect(used).toEqual(["shprt_refresh_1"]);
  expect(new Set(tokens)).toEqual(new Set(["shpat_access_2"]));
});

test("a store that does not answer does not keep the database from others", async () => {
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<Session>();
  const storage = storageWith(() => {
    asked.resolve();
    return answer.promise;
  });
  await storage.storeSession(offline({ expires: new Date(Date.now() + 60_000) }));
  const loads = Array.from({ length: 20 }, () => storage.loadSession(ID));
  await asked.promise;
  const other = Array.from({ length: 5 }, () => db.pool.query("SELECT FROM sessions"));
  expect((await Promise.all(other)).map(({ rowCount }) => rowCount)).toEqual([1, 1, 1, 1, 1]);
  answer.resolve(offline({ accessToken: "shpat_access_2" }));
  for (const session of await Promise.all(loads))
    expect(session?.accessToken).toBe("shpat_access_2");
});

test("a refresh that fails leaves the session as it is, to be tried again", async () => {
  const expiring = offline({ expires: new Date(Date.now() + 60_000) });
  const storage = storageWith(() => Promise.reject(new Error("store is down")));
  await storage.storeSession(expiring);
  await expect(storage.loadSession(ID)).rejects.toThrow("store is down");
  const { used, refresh } = refresher();
  expect((await storageWith(refresh).loadSession(ID))?.accessToken).toBe("shpat_access_2");
  expect(used).toEqual(["shprt_refresh_1"]);
});

test.each([
  ["still good for an hour", offline()],
  ["without a refresh token", offline({ expires: new Date(0), refreshToken: undefined })],
  ["of a person, online", offline({ expires: new Date(0), isOnline: true })],
])("a session %s is not refreshed", async (_, session) => {
  const storage = storageWith(never);
  await storage.storeSession(session);
  expect((await storage.loadSession(ID))?.accessToken).toBe("shpat_access_1");
});

test("a session must belong to the shop that its id names", async () => {
  const strangers = [
    offline({ shop: "evil.example" }),
    offline({ id: "offline_evil.example", shop: "evil.example" }),
    offline({ id: "offline_two.myshopify.com" }),
    offline({ id: crypto.randomUUID() }),
  ];
  for (const stranger of strangers)
    await expect(storageWith(never).storeSession(stranger)).rejects.toThrow(
      /must belong to the shop/,
    );
});

test("a refresh token that Shopify does not take any more ends the session, so that the next visit makes one", async () => {
  const storage = storageWith(async () => null);
  await storage.storeSession(offline({ expires: new Date(Date.now() + 60_000) }));
  expect(await storage.loadSession(ID)).toBeUndefined();
  expect(await storage.findSessionsByShop(SHOP)).toEqual([]);
});

/** Whether Shopify's refusal to renew the shop's session counts as its word that the app was uninstalled. */
const isRefused = async () => {
  const text = "SELECT access_refused_at IS NOT NULL AS refused FROM shops WHERE shop = $1";
  const { rows } = await db.pool.query<{ refused: boolean }>(text, [SHOP]);
  return rows.map(({ refused }) => refused);
};

/** Installs the shop with a session that is about to expire, and has it renewed with these outcomes, one after the other. */
async function renewWith(...outcomes: (Error | Session | null)[]) {
  await db.sealers.forShop(SHOP);
  await db.tenancy.inShop(SHOP, (tenant) => tenant.shops.install("read_orders", new Date()));
  const storage = storageWith(async () => {
    const outcome = outcomes.shift() ?? null;
    if (outcome instanceof Error) throw outcome;
    return outcome;
  });
  const expiring = { expires: new Date(Date.now() + 60_000) };
  await storage.storeSession(offline(expiring));
  while (outcomes.length > 1) await storage.loadSession(ID).catch(tolerate(logger, "test.renewal"));
  expect(await storage.loadSession(ID)).toBeUndefined();
}

const refusedConnection = () =>
  new TypeError("fetch failed", { cause: Object.assign(new Error(), { code: "ECONNREFUSED" }) });

test("a refusal to renew is Shopify's word that the app has gone", async () => {
  await renewWith(null);
  expect(await isRefused()).toEqual([true]);
});

test("a refusal of a token that a killed process may have spent says nothing of the shop", async () => {
  await renewWith(new Error("killed before the new session was stored"), null);
  expect(await isRefused()).toEqual([false]);
  expect(await db.pool.query("SELECT FROM sessions")).toMatchObject({ rowCount: 0 });
});

test("a refusal counts after a renewal that certainly did not reach Shopify", async () => {
  await renewWith(refusedConnection(), null);
  expect(await isRefused()).toEqual([true]);
});

/** An answer to a renewal, as the library throws it. */
const answered = (code: number, error?: string) =>
  new HttpResponseError({
    ...{ message: "Received an error response", code, statusText: "" },
    body: error ? { error } : {},
  });

test.each([
  ["for a store that is frozen", answered(402)],
  ["for a store that is locked", answered(423)],
  ["by a proxy that wants to know who asks", answered(407)],
  ["by a limit", answered(429)],
  ["because of the app's own secret", answered(401, "invalid_client")],
])(
  "a refusal counts after a renewal that was turned away %s: its token was not spent",
  async (_, before) => {
    await renewWith(before, null);
    expect(await isRefused()).toEqual([true]);
  },
);

test.each([404, 408, 451, 500])(
  "a refusal says nothing of the shop after a renewal that was answered with %i, for Shopify may have taken its token",
  async (code) => {
    await renewWith(answered(code), null);
    expect(await isRefused()).toEqual([false]);
  },
);

test.each([404, 407, 429, 451])(
  "a token that was not spent renews the session after an answer of %i",
  async (code) => {
    const storage = storageWith(() => Promise.reject(answered(code)));
    await storage.storeSession(offline({ expires: new Date(Date.now() + 60_000) }));
    await expect(storage.loadSession(ID)).rejects.toThrow("error response");
    const { used, refresh } = refresher();
    expect((await storageWith(refresh).loadSession(ID))?.accessToken).toBe("shpat_access_2");
    expect(used).toEqual(["shprt_refresh_1"]);
  },
);

test("a refusal counts when the renewal before it was stored", async () => {
  await renewWith(
    new Error("lost"),
    offline({ refreshToken: "shprt_refresh_2", expires: new Date(Date.now() + 60_000) }),
    null,
  );
  expect(await isRefused()).toEqual([true]);
});

test.each([
  ["that is noted as gone", "UPDATE shops SET uninstalled_at = now()"],
  ["of which nothing is noted", "DELETE FROM shops"],
])(
  "a session of a shop %s is none, so that the next visit installs the shop",
  async (_, change) => {
    const storage = storageWith(never);
    await storage.storeSession(offline());
    await db.pool.query(change);
    expect(await storage.loadSession(ID)).toBeUndefined();
    expect(await storage.findSessionsByShop(SHOP)).toEqual([]);
    await db.tenancy.inShop(SHOP, (tenant) => tenant.shops.install("read_orders", new Date()));
    expect((await storage.loadSession(ID))?.accessToken).toBe("shpat_access_1");
  },
);

test.each([
  ["a renewal", offline({ scope: "read_products", refreshToken: "shprt_refresh_2" })],
  ["a refusal to renew", null],
])("%s of another store's session says nothing of the shop", async (_, outcome) => {
  const { before, after } = await renewedByOther(outcome);
  expect(after).toEqual(before);
  expect(before).toMatchObject({ scope: "read_orders", access_refused_at: null });
});

/** Another store has the shop's name, and the session that is there is its own. */
async function renewedByOther(outcome: Session | null) {
  await db.sealers.forShop(SHOP);
  await db.tenancy.inShop(SHOP, async ({ shops }) => {
    await shops.install("read_orders", new Date());
    await shops.identify("gid://shopify/Shop/1");
    await shops.identify("gid://shopify/Shop/2");
  });
  const row = async () =>
    (await db.pool.query("SELECT * FROM shops WHERE shop = $1", [SHOP])).rows[0];
  const before = await row();
  const storage = storageWith(async () => outcome);
  await storage.storeSession(offline({ expires: new Date(Date.now() + 60_000) }));
  const loaded = await storage.loadSession(ID);
  expect(loaded?.refreshToken).toBe(outcome?.refreshToken);
  const after = await row();
  await db.tenancy.inShop(SHOP, ({ shops }) => shops.identify("gid://shopify/Shop/1"));
  return { before, after };
}

test("records the install before the session, so that a death between the two loses nothing", async () => {
  const storage = createSessionStorage({
    database: db,
    sealers: db.sealers,
    logger,
    refresh: never,
    beforeStored: () => Promise.reject(new Error("killed")),
  });
  await expect(storage.storeSession(offline())).rejects.toThrow("killed");
  expect(await storage.loadSession(ID)).toBeUndefined();
  // Shopify's library stores an empty token to be rid of one. That is no sign-in.
  await storage.storeSession(offline({ accessToken: undefined }));
});

test("stores no session that is not to be kept", async () => {
  const storage = createSessionStorage({
    ...{ database: db, sealers: db.sealers, logger, refresh: never },
    beforeStored: async () => false,
  });
  expect(await storage.storeSession(offline())).toBe(false);
  expect(await storage.loadSession(ID)).toBeUndefined();
});

const aboutToExpire = () => offline({ expires: new Date(Date.now() + 60_000) });
const next = () => offline({ accessToken: "shpat_access_2", refreshToken: "shprt_refresh_2" });

test("a session that is deleted with its shop's leaving, while its renewal is stored, does not come back", async () => {
  const leaving = Promise.withResolvers<Awaited<ReturnType<typeof whoHolds>>>();
  const storage = storageWith(async () => {
    leaving.resolve(await whoHolds(db, "DELETE FROM sessions WHERE shop = $1", SHOP));
    return next();
  });
  await storage.storeSession(aboutToExpire());
  const loading = storage.loadSession(ID);
  const uninstall = await leaving.promise;
  await untilWaiting(db, 1, loading);
  await uninstall.change("UPDATE shops SET uninstalled_at = now() WHERE shop = $1", SHOP);
  await uninstall.end();
  await loading;
  expect((await db.pool.query("SELECT FROM sessions WHERE shop = $1", [SHOP])).rowCount).toBe(0);
});

test.each([
  { answer: "is stored", renewed: next() },
  { answer: "was refused", renewed: null },
])(
  "a merchant's sign-in at the moment in which a renewal $answer keeps its session",
  async ({ renewed }) => {
    const began = Promise.withResolvers<Awaited<ReturnType<typeof whoHolds>>>();
    const storage = storageWith(async () => {
      began.resolve(await whoHolds(db, "SELECT FROM sessions WHERE shop = $1 FOR UPDATE", SHOP));
      return renewed;
    });
    await storage.storeSession(aboutToExpire());
    const loading = storage.loadSession(ID);
    const signIn = await began.promise;
    await untilWaiting(db, 1, loading);
    await signIn.change(
      `UPDATE sessions SET renewing_since = NULL, expires = now() + interval '1 hour', scope = 'of the sign-in' WHERE shop = $1`,
      SHOP,
    );
    await signIn.end();
    await loading;
    expect((await storageWith(never).loadSession(ID))?.scope).toBe("of the sign-in");
    const { rows } = await db.pool.query("SELECT access_refused_at FROM shops WHERE shop = $1", [
      SHOP,
    ]);
    expect(rows).toEqual([{ access_refused_at: null }]);
  },
);
