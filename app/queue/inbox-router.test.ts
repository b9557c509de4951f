import { afterAll, expect, test } from "vitest";
import { openTestDatabase } from "../../test/database/database.ts";
import { installedShop } from "../../test/database/seed.ts";
import { startSmallStore } from "../../test/database/small-store.ts";
import { SILENT_LOOP } from "../../test/database/vitals.ts";
import { readEvent } from "../clients/referral-service/events/read-event.ts";
import { READ_TOPICS, readWebhook } from "../clients/shopify/read-webhook.ts";
import type { ShopDomain } from "../modules/kernel/ids.ts";
import { sealBody } from "../modules/kernel/postgres/inbox.ts";
import { handleWebhook } from "../modules/orders/handle-webhook.ts";
import { systemClock } from "../platform/clock.ts";
import { createLogger } from "../platform/logger.ts";
import { startEngine } from "./engine.ts";
import { createInboxRouter } from "./inbox-router.ts";
import { startOutboxRelay } from "./outbox-relay.ts";

const logger = createLogger("silent");
const db = await openTestDatabase();
const engine = await startEngine({ databaseUrl: db.url, logger, poolSize: 2 });
afterAll(() => engine.stop());
const ORDER = JSON.stringify({ id: 1001, admin_graphql_api_id: "gid://shopify/Order/1001" });

const store = await startSmallStore();
afterAll(() => store.close());
const ports = {
  ...{ tenancy: db.tenancy, logger, clock: systemClock },
  ...{ readMessage: readWebhook, ...store },
};

let events = 0;
async function receive(shop: ShopDomain, topic: string, body: string): Promise<string> {
  const eventId = `event-${++events}`;
  const sealer = await db.sealers.forShop(shop);
  const { rows } = await db.pool.query<{ id: string }>(
    `INSERT INTO inbox (shop, source, topic, event_id, body_sealed)
     VALUES ($1, 'shopify', $2, $3, $4) RETURNING id`,
    [
      shop,
      topic,
      eventId,
      sealBody(sealer, { source: "shopify", topic, eventId }, Buffer.from(body)),
    ],
  );
  return rows[0]?.id ?? "";
}

async function relayOnce(sealers = db.sealers): Promise<void> {
  const inboxRouter = createInboxRouter({
    sealers,
    topics: READ_TOPICS,
    readMessage: readWebhook,
    readEvent: (body) => readEvent(body, {}),
    ...{ logger, clock: systemClock },
  });
  const relay = startOutboxRelay({ pool: db.pool, engine, inboxRouter, loop: SILENT_LOOP });
  relay.wake();
  await relay.stop();
}

const message = async (id: string) =>
  (
    await db.pool.query("SELECT state, body_sealed IS NOT NULL AS kept FROM inbox WHERE id = $1", [
      id,
    ])
  ).rows[0];
const jobs = async (shop: ShopDomain) =>
  (
    await db.pool.query<{ name: string; data: unknown }>(
      "SELECT name, data FROM pgboss.job WHERE data->>'shop' = $1 ORDER BY name",
      [shop],
    )
  ).rows;

test("messages about an order become one reconciliation of it, and their bodies go", async () => {
  const shop = await installedShop(db);
  const topics = ["orders/paid", "orders/updated", "orders/cancelled"];
  const ids = await Promise.all(topics.map((topic) => receive(shop, topic, ORDER)));
  await relayOnce();
  const orderId = "gid://shopify/Order/1001";
  expect(await jobs(shop)).toEqual([{ name: "reconcile-order", data: { shop, orderId } }]);
  for (const id of ids) expect(await message(id)).toEqual({ state: "done", kept: false });
});

test.each([
  [75, false, "handle-webhook"],
  [75, true, "reconcile-order"],
  [1, false, "reconcile-order"],
])("a payment %i days after its order (test: %s) has the job %s", async (days, isTest, name) => {
  const shop = await installedShop(db);
  const at = new Date();
  const body = {
    ...{ ...JSON.parse(ORDER), name: "#1001", test: isTest, updated_at: at },
    created_at: new Date(at.getTime() - days * 86_400_000),
  };
  const id = await receive(shop, "orders/paid", JSON.stringify(body));
  await relayOnce();
  const own = name === "handle-webhook";
  const about = own ? { inboxId: id } : { orderId: "gid://shopify/Order/1001" };
  expect(await jobs(shop)).toEqual([{ name, data: { shop, ...about } }]);
  expect(await message(id)).toEqual({ state: own ? "queued" : "done", kept: own });
});

test("a topic that asks nothing of us makes no job", async () => {
  const shop = await installedShop(db);
  const id = await receive(shop, "themes/update", "{}");
  await relayOnce();
  expect(await jobs(shop)).toEqual([]);
  expect(await message(id)).toEqual({ state: "done", kept: false });
});

test("orders of a shop that is not installed yet are kept, and let in by the install", async () => {
  const shop = "early.myshopify.com";
  const id = await receive(shop, "orders/paid", ORDER);
  await relayOnce();
  expect(await jobs(shop)).toEqual([{ name: "handle-webhook", data: { shop, inboxId: id } }]);
  expect(await handleWebhook(ports, { shop, inboxId: id })).toBe("parked");
  await db.pool.query("DELETE FROM pgboss.job");
  await db.tenancy.inShop(shop, async (tenant) => {
    await tenant.shops.install("", new Date());
    await tenant.inbox.unpark();
  });
  await relayOnce();
  expect(await jobs(shop)).toMatchObject([{ name: "reconcile-order" }]);
});

test.each([
  ["app/uninstalled", "{}"],
  ["customers/redact", "{}"],
  ["customers/merge", "{}"],
  ["orders/paid", "not json"],
  ["orders/paid", "{}"],
])("%s with %s has a job of its own, and keeps its body for it", async (topic, body) => {
  const shop = await installedShop(db);
  const id = await receive(shop, topic, body);
  await relayOnce();
  expect(await jobs(shop)).toEqual([{ name: "handle-webhook", data: { shop, inboxId: id } }]);
  expect(await message(id)).toEqual({ state: "queued", kept: true });
});

test("a body that does not open holds nobody else up", async () => {
  const shop = await installedShop(db);
  const broken = await receive(shop, "orders/paid", ORDER);
  await db.pool.query("UPDATE inbox SET body_sealed = '\\x01' WHERE id = $1", [broken]);
  const whole = await receive(shop, "orders/paid", ORDER);
  await relayOnce();
  expect((await jobs(shop)).map((job) => job.name)).toEqual(["handle-webhook", "reconcile-order"]);
  expect(await message(whole)).toEqual({ state: "done", kept: false });
});

test("decides at the relay as the message's own job would decide", async () => {
  const shop = await installedShop(db);
  for (const topic of [...READ_TOPICS, "themes/update"]) {
    const id = await receive(shop, topic, ORDER);
    await db.pool.query("UPDATE inbox SET state = 'queued' WHERE id = $1", [id]);
    const own = await handleWebhook(ports, { shop, inboxId: id });
    await db.pool.query("DELETE FROM outbox; DELETE FROM pgboss.job");
    await db.tenancy.inShop(shop, (tenant) => tenant.shops.install("", new Date()));
    await receive(shop, topic, ORDER);
    await relayOnce();
    const names = (await jobs(shop)).map((job) => job.name);
    if (names.includes("reconcile-order")) expect(own).toBe("queued");
    else if (names.length === 0) expect(own).toBe("noted");
    else expect(names).toEqual(["handle-webhook"]);
    await db.pool.query("DELETE FROM pgboss.job");
  }
});
