/** Long because each topic is acted on, and each one that ends or joins something is doubted: late, forged, early, contradicted. */
import { randomBytes, randomUUID } from "node:crypto";
import { afterAll, beforeEach, expect, test } from "vitest";
import { movableClock } from "../../../test/database/clock.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { installedShop } from "../../../test/database/seed.ts";
import { startSmallStore } from "../../../test/database/small-store.ts";
import { readWebhook } from "../../clients/shopify/read-webhook.ts";
import { createStoreAccess } from "../../clients/shopify/store-access.ts";
import { StoreError } from "../../clients/shopify/store-error.ts";
import { systemClock } from "../../platform/clock.ts";
import { createLogger } from "../../platform/logger.ts";
import { gid, type ShopDomain } from "../kernel/ids.ts";
import { sealBody } from "../kernel/postgres/inbox.ts";
import { handleWebhook } from "./handle-webhook.ts";

const db = await openTestDatabase();
const store = await startSmallStore();
afterAll(() => store.close());
const ports = {
  ...{ tenancy: db.tenancy, clock: systemClock },
  readMessage: readWebhook,
  logger: createLogger("silent"),
  ...store,
};

const RECEIVED = new Date("2100-01-01T12:00:00Z");
const before = (minutes: number) => new Date(RECEIVED.getTime() - minutes * 60_000);
let shop: ShopDomain;
let events = 0;
beforeEach(async () => {
  shop = await installedShop(db);
  store.status = null;
  store.customers.clear();
});

const shopObject = (myshopify_domain: string | null) => ({
  id: 1,
  myshopify_domain,
  domain: "shop.example",
  shop_owner: "O",
  plan_name: "basic",
  plan_display_name: "Basic",
  iana_timezone: "Australia/Sydney",
  money_format: "$",
  primary_locale: "en",
});
const redaction = (shop_domain: string) => ({
  shop_id: 1,
  shop_domain,
  customer: { id: 7, email: null, phone: null },
  orders_to_redact: [1001],
});

async function deliver(
  topic: string,
  body: unknown,
  triggeredAt: Date | null = before(1),
  bodyDigest: Buffer = randomBytes(32),
  withPorts: Parameters<typeof handleWebhook>[0] = ports,
) {
  const eventId = `handled-${++events}`;
  const sealed = sealBody(
    await db.sealers.forShop(shop),
    { source: "shopify", topic, eventId },
    Buffer.from(JSON.stringify(body)),
  );
  const { rows } = await db.pool.query<{ id: string }>(
    `INSERT INTO inbox (shop, source, topic, event_id, triggered_at, received_at, body_sealed, body_digest)
     VALUES ($1, 'shopify', $2, $3, $4, $5, $6, $7) RETURNING id`,
    [shop, topic, eventId, triggeredAt, RECEIVED, sealed, bodyDigest],
  );
  const inboxId = rows[0]?.id ?? "";
  const outcome = await handleWebhook(withPorts, { shop, inboxId });
  const left = await db.pool.query("SELECT state, refusal FROM inbox WHERE id = $1", [inboxId]);
  return { inboxId, outcome, ...left.rows[0] };
}
const refused = (refusal: string) =>
  expect.objectContaining({ outcome: "refused", state: "refused", refusal });
const isInstalled = () =>
  db.tenancy.inShop(shop, async (tenant) => (await tenant.shops.find())?.installed);
const openRequests = async () =>
  (await db.pool.query("SELECT 1 FROM privacy_requests WHERE shop = $1", [shop])).rowCount;

test("ends an install when the store refuses the app, and not while it lets the app in", async () => {
  expect(await deliver("app/uninstalled", shopObject(shop))).toEqual(refused("not_confirmed"));
  expect(await deliver("app/uninstalled", shopObject(null))).toEqual(refused("other_shop"));
  expect(await isInstalled()).toBe(true);
  store.status = 401;
  expect(await deliver("app/uninstalled", shopObject(shop))).toMatchObject({ outcome: "noted" });
  expect(await isInstalled()).toBe(false);
});

/** Ports by whose clock the message has come so many seconds ago. */
const soonAfter = (seconds: number) => {
  const clock = movableClock();
  clock.advance(RECEIVED.getTime() + seconds * 1_000 - clock.now().getTime());
  return { ...ports, clock };
};
const laterJobs = async (): Promise<Date[]> => {
  const taken = `DELETE FROM outbox WHERE shop = $1 AND name = 'handle-webhook' RETURNING start_after AS at`;
  return (await db.pool.query<{ at: Date }>(taken, [shop])).rows.map(({ at }) => at);
};
const again = (inboxId: string, seconds: number) =>
  handleWebhook(soonAfter(seconds), { shop, inboxId });

test("asks again about an uninstall while tokens may still work for a moment, and then refuses it", async () => {
  const { outcome, state, inboxId } = await deliver(
    ...(["app/uninstalled", shopObject(shop), before(0), undefined, soonAfter(1)] as const),
  );
  expect([outcome, state]).toEqual(["waiting", "received"]);
  expect(await laterJobs()).toEqual([new Date(RECEIVED.getTime() + 10_000)]);
  store.status = 401;
  expect(await again(inboxId, 10)).toBe("noted");
  expect(await isInstalled()).toBe(false);

  await db.tenancy.inShop(shop, (tenant) => tenant.shops.install("", before(60)));
  store.status = null;
  const denied = await deliver(
    ...(["app/uninstalled", shopObject(shop), before(0), undefined, soonAfter(1)] as const),
  );
  expect(await again(denied.inboxId, 10)).toBe("refused");
  expect(await isInstalled()).toBe(true);
});

test("asks again about a merge while the one who is gone may still be read", async () => {
  const [kept, gone] = [gid("Customer", 11), gid("Customer", 12)];
  const merge = {
    admin_graphql_api_customer_kept_id: kept,
    admin_graphql_api_customer_deleted_id: gone,
    ...{ admin_graphql_api_job_id: null, status: "completed", errors: [] },
  };
  store.customers.add(kept).add(gone);
  const { outcome, inboxId } = await deliver(
    ...(["customers/merge", merge, before(0), undefined, soonAfter(1)] as const),
  );
  expect(outcome).toBe("waiting");
  store.customers.delete(gone);
  expect(await again(inboxId, 10)).toBe("noted");
});

test("ends an install that a clock ahead of the store's dates after its uninstall", async () => {
  // Signed in and taken off at once, by a database two minutes ahead.
  await db.tenancy.inShop(shop, (tenant) => tenant.shops.install("", before(0)));
  store.status = 401;
  const leaving = () =>
    deliver(
      ...(["app/uninstalled", shopObject(shop), before(2), undefined, soonAfter(61)] as const),
    );
  expect(await leaving()).toMatchObject({ outcome: "noted", state: "done" });
  expect(await isInstalled()).toBe(false);
});

test("leaves a shop alone that has come back within seconds", async () => {
  await db.tenancy.inShop(shop, (tenant) => tenant.shops.install("", before(0)));
  // The sign-in is not over yet: the store would refuse the former token.
  store.status = 401;
  const { outcome, inboxId } = await deliver(
    ...(["app/uninstalled", shopObject(shop), before(1), undefined, soonAfter(5)] as const),
  );
  expect(outcome).toBe("waiting");
  expect(await laterJobs()).toEqual([new Date(RECEIVED.getTime() + 10_000)]);
  store.status = null;
  expect(await again(inboxId, 10)).toBe("noted");
  expect(await isInstalled()).toBe(true);
  // An hour later it is of the install before, whatever the store says.
  await db.tenancy.inShop(shop, (tenant) => tenant.shops.install("", RECEIVED));
  store.status = 401;
  const old = [undefined, soonAfter(3_600)] as const;
  await deliver("app/uninstalled", shopObject(shop), before(6), ...old);
  expect(await isInstalled()).toBe(true);
});

test("ends the batches of a shop that leaves: nothing of them is done when it returns", async () => {
  const id = randomUUID();
  const batch = { id, kind: "reorder", action: "reorder", actor: "staff:7", plan: {} } as const;
  const running = {
    state: "running",
    cursor: null,
    createdAt: RECEIVED,
    finishedAt: null,
  } as const;
  const item = { subject: randomUUID(), detail: null };
  await db.tenancy.inShop(shop, (tenant) => tenant.batches.add({ ...batch, ...running }, [item]));
  store.status = 401;
  await deliver("app/uninstalled", shopObject(shop));
  await db.tenancy.inShop(shop, (tenant) => tenant.shops.install("", RECEIVED));
  const [found, due] = await db.tenancy.inShop(shop, async (tenant) => [
    await tenant.batches.find(id),
    await tenant.batches.takeDue(id),
  ]);
  expect(found).toMatchObject({ state: "cancelled", finishedAt: RECEIVED });
  expect(due).toBeNull();
});

test("keeps an uninstall for a later try while the store does not answer", async () => {
  store.status = 500;
  await expect(deliver("app/uninstalled", shopObject(shop))).rejects.toThrow("store_unreachable");
  expect(await isInstalled()).toBe(true);
});

test("believes an uninstall of a store that Shopify knows by no name still after a quarter of an hour", async () => {
  const at = (minutes: number) => ({
    ...ports,
    clock: { now: () => before(-minutes), skewMs: () => null },
  });
  const leaves = (minutes: number) =>
    deliver("app/uninstalled", shopObject(shop), before(1), undefined, at(minutes));
  store.status = 404;
  await expect(leaves(14)).rejects.toThrow("store_not_found");
  expect(await isInstalled()).toBe(true);
  // It may have been renamed: nothing tells that it has left.
  const storeId = `gid://shopify/Shop/${9_000_000 + Math.floor(Math.random() * 1e6)}`;
  const renamed = await installedShop(db);
  for (const name of [shop, renamed])
    await db.tenancy.inShop(name, ({ shops }) => shops.identify(storeId));
  await expect(leaves(15)).rejects.toThrow("store_not_found");
  await db.pool.query("UPDATE shops SET store_id = NULL WHERE shop = $1", [renamed]);
  expect(await leaves(15)).toMatchObject({ outcome: "noted" });
  expect(await isInstalled()).toBe(false);
});

test("refuses a body that names another shop than the header", async () => {
  store.status = 401;
  const other = "other.myshopify.com";
  expect(await deliver("app/uninstalled", shopObject(other))).toEqual(refused("other_shop"));
  expect(await deliver("customers/redact", redaction(other))).toEqual(refused("other_shop"));
  const asking = { shop_id: 1, shop_domain: other };
  expect(await deliver("shop/redact", asking)).toEqual(refused("other_shop"));
  expect([await isInstalled(), await openRequests()]).toEqual([true, 0]);
});

test("refuses the erasure of another store that had the same name, and acts on that of the one whose rows these are", async () => {
  const erasure = (shop_id: number) => deliver("shop/redact", { shop_id, shop_domain: shop });
  // Nobody has told yet which store this is.
  expect(await erasure(2)).toMatchObject({ outcome: "queued" });
  expect(await openRequests()).toBe(1);
  const storeId = 9_000_000 + Math.floor(Math.random() * 1e6);
  await db.tenancy.inShop(shop, ({ shops }) => shops.identify(`gid://shopify/Shop/${storeId}`));
  expect(await erasure(storeId + 1)).toEqual(refused("other_store"));
  expect(await openRequests()).toBe(1);
  const [told] = await db.tenancy.inShop(shop, ({ inbox }) => inbox.refusedSince(before(60)));
  expect(told).toMatchObject({ reason: "other_store", count: 1 });
  expect(await erasure(storeId)).toMatchObject({ outcome: "queued" });
  expect(await openRequests()).toBe(2);
});

test.each([
  ["no_time", null],
  ["from_the_future", before(-6)],
  ["too_old", before(361)],
])(
  "refuses what destroys with the code %s, and opens no privacy request",
  async (refusal, triggeredAt) => {
    expect(await deliver("customers/redact", redaction(shop), triggeredAt)).toEqual(
      refused(refusal),
    );
    expect(await openRequests()).toBe(0);
  },
);

test.each([before(-4), before(0), before(241)])(
  "opens a privacy request for a redaction that was triggered at %s",
  async (triggeredAt) => {
    const done = await deliver("customers/redact", redaction(shop), triggeredAt);
    expect(done).toMatchObject({ outcome: "queued", state: "done", refusal: null });
    expect(await openRequests()).toBe(1);
  },
);

test("refuses an uninstall that cannot be confirmed because there is no token to ask with", async () => {
  const asks = (wasRefused: boolean) => ({
    ...ports,
    storeAccess: createStoreAccess(
      () => Promise.reject(new StoreError("store_no_session")),
      async () => ({ accessRefusedAt: wasRefused ? RECEIVED : null, storeId: null }),
    ),
  });
  expect(
    await deliver("app/uninstalled", shopObject(shop), before(1), undefined, asks(false)),
  ).toEqual(refused("not_confirmed"));
  expect(await isInstalled()).toBe(true);
  // Shopify did not renew the last token: that is its answer.
  await deliver("app/uninstalled", shopObject(shop), before(1), undefined, asks(true));
  expect(await isInstalled()).toBe(false);
});

test("believes an uninstall when another store has the name by then", async () => {
  const isOther = {
    ...ports,
    storeAccess: { ...ports.storeAccess, check: async () => "of_other_store" as const },
  };
  await deliver("app/uninstalled", shopObject(shop), before(1), undefined, isOther);
  expect(await isInstalled()).toBe(false);
});

test("refuses what destroys when its body came under another topic or from another shop", async () => {
  const [paid, elsewhere] = [randomBytes(32), randomBytes(32)];
  await deliver("orders/paid", { id: 1001 }, before(2), paid);
  expect(await deliver("customers/redact", redaction(shop), before(1), paid)).toEqual(
    refused("seen_before"),
  );
  const victim = shop;
  shop = await installedShop(db);
  await deliver("customers/redact", redaction(shop), before(2), elsewhere);
  shop = victim;
  expect(await deliver("customers/redact", redaction(shop), before(1), elsewhere)).toEqual(
    refused("seen_before"),
  );
  expect(await openRequests()).toBe(0);
});

test("acts on a genuine message although its body came first under a wrong topic, or comes again", async () => {
  const body = randomBytes(32);
  expect(await deliver("shop/redact", redaction(shop), before(2), body)).toMatchObject({
    state: "unreadable",
  });
  const genuine = () => deliver("customers/redact", redaction(shop), before(1), body);
  expect(await genuine()).toMatchObject({ state: "done" });
  expect(await genuine()).toMatchObject({ state: "done" });
});

test("joins no customers by the word of another store that has the name", async () => {
  const merge = {
    admin_graphql_api_customer_kept_id: gid("Customer", 1),
    admin_graphql_api_customer_deleted_id: gid("Customer", 2),
    admin_graphql_api_job_id: null,
    status: "completed",
    errors: [],
  };
  // It has neither of the two.
  const check = async () => "of_other_store" as const;
  const withPorts = { ...ports, storeAccess: { ...ports.storeAccess, check } };
  expect(await deliver("customers/merge", merge, before(1), undefined, withPorts)).toEqual(
    refused("other_store"),
  );
  const survivor = await db.tenancy.inShop(shop, (tenant) =>
    tenant.customers.survivorOf(gid("Customer", 2)),
  );
  expect(survivor).toBe(gid("Customer", 2));
});

test("joins two customers only when the store says that the one is gone", async () => {
  const [kept, gone] = [gid("Customer", 1), gid("Customer", 2)];
  const merge = {
    admin_graphql_api_customer_kept_id: kept,
    admin_graphql_api_customer_deleted_id: gone,
    admin_graphql_api_job_id: null,
    status: "completed",
    errors: [],
  };
  const survivor = () => db.tenancy.inShop(shop, (tenant) => tenant.customers.survivorOf(gone));
  store.customers.add(kept).add(gone);
  expect(await deliver("customers/merge", merge)).toEqual(refused("not_confirmed"));
  expect(await survivor()).toBe(gone);
  store.status = 500;
  await expect(deliver("customers/merge", merge)).rejects.toThrow("store_unreachable");
  store.status = null;
  store.customers.delete(gone);
  expect(await deliver("customers/merge", merge)).toMatchObject({ outcome: "noted" });
  expect(await survivor()).toBe(kept);
});

test("counts refused messages by their reason, and says when the last one came", async () => {
  await deliver("customers/redact", redaction("other.myshopify.com"));
  await deliver("customers/redact", redaction("other.myshopify.com"));
  await deliver("app/uninstalled", {});
  const counted = await db.tenancy.inShop(shop, (tenant) => tenant.inbox.refusedSince(before(60)));
  expect(counted).toEqual(
    expect.arrayContaining([
      { reason: "other_shop", count: 2, lastAt: RECEIVED },
      { reason: "unreadable", count: 1, lastAt: RECEIVED },
    ]),
  );
});
