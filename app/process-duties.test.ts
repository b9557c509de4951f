/** What runs beside the shops' own transactions, with the logins that it has in production. */
import { randomBytes, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Session } from "@shopify/shopify-api";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { openTestDatabase, temporaryKeyFolder } from "../test/database/database.ts";
import { connect, installedShop, readyRequest } from "../test/database/seed.ts";
import { readEvent } from "./clients/referral-service/events/read-event.ts";
import { READ_TOPICS, readWebhook } from "./clients/shopify/read-webhook.ts";
import { createSessionStorage } from "./clients/shopify/session-storage.ts";
import { JOB_NAMES } from "./jobs/definitions.ts";
import { shopDomain } from "./modules/kernel/ids.ts";
import { sealBody } from "./modules/kernel/postgres/inbox.ts";
import { createShopEraser } from "./modules/privacy/postgres/shop-eraser.ts";
import { createTimelineEnder } from "./modules/privacy/postgres/timeline-ender.ts";
import { redact } from "./modules/privacy/privacy/redact.ts";
import {
  countDueJobs,
  createWorkHealth,
  readBacklog,
} from "./modules/reports/postgres/work-health.ts";
import { createConnectionSecrets } from "./modules/shops/postgres/connection-secrets.ts";
import { systemClock } from "./platform/clock.ts";
import { shareConnections } from "./platform/database/connection-shares.ts";
import { openProcessDatabase, openProcessPool } from "./platform/database/database.ts";
import { withLease } from "./platform/database/lease.ts";
import { loginAs } from "./platform/database/logins.ts";
import { identityCheck, pauseAfterRestore } from "./platform/database/pause-after-restore.ts";
import { bindKeyStore } from "./platform/encryption/bind-key-store.ts";
import { askPool } from "./platform/encryption/data-keys.ts";
import { readKeyProgress } from "./platform/encryption/key-progress.ts";
import { maintainKeys } from "./platform/encryption/maintain-keys.ts";
import { recoverAllKeys } from "./platform/encryption/recover-keys.ts";
import { rewrapKeys } from "./platform/encryption/rewrap-keys.ts";
import { ROTATIONS, rotateKeys } from "./platform/encryption/rotate-keys.ts";
import { createSealers } from "./platform/encryption/sealers.ts";
import { createLogger } from "./platform/logger.ts";
import { sealAccessLogs } from "./queue/access-sealing.ts";
import { startEngine } from "./queue/engine.ts";
import { startHeartbeats } from "./queue/heartbeats.ts";
import { createInboxRouter } from "./queue/inbox-router.ts";
import { startMaintenance } from "./queue/maintenance.ts";
import { startOutboxRelay } from "./queue/outbox-relay.ts";
import { startServiceSync } from "./queue/service-sync.ts";
import { watchSenders } from "./queue/silent-senders.ts";
import type { Loop } from "./queue/vitals.ts";
import { SEALED_COLUMNS } from "./sealed-columns.ts";
import { createTenancy } from "./tenancy.ts";
import { createInboxWriter } from "./web/intake/inbox-writer.ts";

const logger = createLogger("silent");
const owner = await openTestDatabase();
const tenantKey = await owner.tenantKey();
const keyFolder = temporaryKeyFolder();
const clock = { now: () => new Date(), skewMs: () => null };

/** A process that logs in for its own statements as one of the roles. */
function processAs(login: "pathway_web" | "pathway_worker") {
  const database = openProcessDatabase({
    ...{ url: loginAs(owner.url, login), processUrl: loginAs(owner.url, login), tenantKey },
    ...{ connections: shareConnections(8), onError: () => {}, onConnect: identityCheck(() => {}) },
  });
  afterAll(() => database.close());
  const sealers = createSealers(database.pool, owner.masterKeys, owner.epochs);
  const tenancy = createTenancy({ database, sealers, onJobs: () => {} });
  return { ...database, database, sealers, tenancy };
}
const web = processAs("pathway_web");
const worker = processAs("pathway_worker");

/** A loop that tells when it has come round, and fails with what it was told. */
function awaitedLoop(): { loop: Loop; turned: Promise<void> } {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  return { loop: { turned: resolve, failed: reject }, turned: promise };
}

async function oneTurn(start: (loop: Loop) => { stop(): unknown }): Promise<void> {
  const { loop, turned } = awaitedLoop();
  const running = start(loop);
  await turned.finally(() => running.stop());
}

test.each([
  ["pathway_web", web],
  ["pathway_worker", worker],
] as const)("%s does what every process does", async (login, { pool, database, sealers }) => {
  const shop = await installedShop(owner);
  await connect(owner, shop);
  const client = await pool.connect();
  await bindKeyStore(client, keyFolder).finally(() => client.release());
  await pauseAfterRestore(pool, { asked: true });
  const recovered = { ask: askPool(pool), epochs: owner.epochs };
  await recoverAllKeys({ ...recovered, onFailed: (name) => expect.fail(name) });
  await rewrapKeys({ pool, logger }, owner.masterKeys, owner.epochs);
  await withLease({ pool, logger }, { shop, name: "test" }, async () => {});
  expect(await createWorkHealth(pool, JOB_NAMES)(shop)).toMatchObject({ retried: [] });
  await readBacklog(pool);
  expect(await countDueJobs(pool, JOB_NAMES)).toHaveLength(JOB_NAMES.length);
  await readKeyProgress(pool);

  const storage = createSessionStorage({ database, sealers, logger, refresh: async () => null });
  const session = new Session({
    ...{ id: `offline_${shop}`, shop, state: "", isOnline: false },
    accessToken: "token",
  });
  await storage.storeSession(session);
  expect(await storage.loadSession(session.id)).toMatchObject({ accessToken: "token" });
  expect(await storage.findSessionsByShop(shop)).toHaveLength(1);
  await storage.deleteSession(session.id);

  const secrets = createConnectionSecrets(pool, sealers);
  expect(await secrets.credentials(shop, "staging")).toMatchObject({ clientId: "id" });
  await secrets.writeTokens(shop, "staging", { accessToken: "t" });
  expect(await secrets.readTokens(shop, "staging")).toEqual({ accessToken: "t" });

  await oneTurn((loop) =>
    startHeartbeats({
      ...{ pool, loop, clock, logger, roles: [login] },
      vitals: { loops: () => [] },
    }),
  );
  const engine = await startEngine({
    ...{ databaseUrl: loginAs(owner.url, login), tenantKey, logger, poolSize: 2 },
  });
  const inboxRouter = createInboxRouter({
    ...{ sealers, topics: READ_TOPICS, readMessage: readWebhook, logger, clock: systemClock },
    readEvent: (body) => readEvent(body, {}),
  });
  const event = { source: "service", topic: "staging", eventId: `event-${login}` };
  const body = Buffer.from(
    JSON.stringify({ type: "referral.issued", data: { uuid: randomUUID() } }),
  );
  await owner.pool.query(
    "INSERT INTO inbox (shop, source, topic, event_id, body_sealed) VALUES ($1, 'service', 'staging', $2, $3)",
    [shop, event.eventId, sealBody(await sealers.forShop(shop), event, body)],
  );
  await oneTurn((loop) => startOutboxRelay({ pool, engine, inboxRouter, loop }));
  const { rows: counted } = await owner.pool.query(
    "SELECT events_received FROM connections WHERE shop = $1",
    [shop],
  );
  expect(counted).toEqual([{ events_received: 1 }]);
  await engine.boss.supervise();
  await engine.stop();
  expect((await owner.pool.query("SELECT FROM outbox")).rowCount).toBe(0);
});

test("pathway_worker looks after work, keys and the audit of all shops, and erases", async () => {
  const { pool, sealers, tenancy } = worker;
  const shop = await installedShop(owner);
  await connect(owner, shop);
  const kept = await readyRequest(owner, shop);
  const erased = await readyRequest(owner, shop, { orderNumber: 1002 });
  const keys = { pool, sealers, columns: SEALED_COLUMNS, logger, retiredForMs: 0 };
  for (const level of ROTATIONS) {
    await rotateKeys(keys, shop, level);
    await maintainKeys(keys);
  }
  const { rows: resealed } = await owner.pool.query(
    "SELECT finished_at IS NOT NULL AS done, unreadable FROM resealings WHERE shop = $1",
    [shop],
  );
  expect(resealed).toEqual([{ done: true, unreadable: expect.anything() }]);
  await tenancy.inShop(shop, (tenant) =>
    redact(tenant, { requestIds: [erased], orderIds: [] }, new Date()),
  );
  await maintainKeys(keys);
  await maintainKeys(keys);
  expect((await owner.pool.query("SELECT FROM tombstones WHERE store = $1", [shop])).rowCount).toBe(
    0,
  );
  expect(await tenancy.inShop(shop, (t) => t.requests.patientOf(kept))).not.toBeNull();

  await oneTurn((loop) => startMaintenance(pool, loop, 0));
  await owner.pool.query("UPDATE referral_requests SET updated_at = now() - interval '2 hours'");
  await oneTurn((loop) => startServiceSync(pool, loop, 0));
  await oneTurn((loop) => watchSenders(pool, loop));
  const { rows } = await owner.pool.query<{ name: string }>(
    "SELECT DISTINCT name FROM outbox WHERE shop = $1 ORDER BY 1",
    [shop],
  );
  expect(rows.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["create-referral", "maintain-shop", "sync-connection"]),
  );

  const folder = mkdtempSync(join(tmpdir(), "pathway-anchors-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  await tenancy.inShop(shop, (tenant) =>
    tenant.accessLog.add({ at: new Date(), who: "job", what: "details_viewed" }),
  );
  const anchored = new Map<string, number>();
  await sealAccessLogs(
    {
      ...{ pool, folder, clock, logger },
      inLog: (log, work) => {
        const known = shopDomain(log);
        return known ? tenancy.inShop(known, work) : tenancy.inInstallation(work);
      },
    },
    anchored,
  );
  expect(anchored.get(shop)).toBe(1);

  const from = { at: new Date(), behind: null };
  expect(await createTimelineEnder(pool).end(shop, from)).toMatchObject({ ended: 0, more: false });

  const times = { askedAt: new Date(), doneAt: new Date() };
  const eraser = createShopEraser(pool);
  expect(await eraser.erase(shop, times)).toBeNull();
  await tenancy.inShop(shop, (tenant) => tenant.shops.uninstall(new Date()));
  expect(await eraser.erase(shop, times)).toMatchObject({ access_log: 1, access_log_seals: 1 });
  expect((await owner.pool.query("SELECT FROM timeline WHERE shop = $1", [shop])).rowCount).toBe(0);
  await maintainKeys(keys);
  expect((await owner.pool.query("SELECT FROM erasures")).rowCount).toBe(1);

  // Work that was under way meanwhile finds no keys, and makes some.
  worker.sealers.forgetAll();
  await worker.sealers.forShop(shop);
  const names = async () =>
    (
      await owner.pool.query(
        `SELECT FROM key_epochs WHERE shop = $1 UNION ALL SELECT FROM data_keys WHERE shop = $1
         UNION ALL SELECT FROM tombstones WHERE store = $1`,
        [shop],
      )
    ).rowCount;
  await maintainKeys(keys);
  expect(await names()).toBeGreaterThan(0);
  await owner.pool.query("UPDATE key_epochs SET made_at = made_at - interval '25 hours'");
  await maintainKeys(keys);
  expect(await names()).toBe(0);
  expect(await worker.sealers.epochs.list(shop)).toEqual([]);
});

test("keys of a shop that is not here are kept while a message of it waits", async () => {
  const shop = shopDomain("elsewhere.myshopify.com");
  if (!shop) throw new Error("no shop domain");
  const write = createInboxWriter({ pool: owner.pool, sealers: web.sealers });
  await write({
    ...{ shop, source: "shopify", topic: "orders/paid", body: randomBytes(20) },
    ...{ eventId: "early", deliveryId: null, triggeredAt: null },
  });
  await owner.pool.query("UPDATE key_epochs SET made_at = made_at - interval '25 hours'");
  const { pool, sealers } = worker;
  const keys = { pool, sealers, columns: SEALED_COLUMNS, logger, retiredForMs: 0 };
  const named = async () =>
    (await owner.pool.query("SELECT FROM key_epochs WHERE shop = $1", [shop])).rowCount;
  await maintainKeys(keys);
  expect(await named()).toBe(1);
  await owner.pool.query("DELETE FROM inbox WHERE shop = $1", [shop]);
  await maintainKeys(keys);
  expect(await named()).toBe(0);
});

test("pathway_intake finds an address, reads keys and stores a message, and can do nothing else", async () => {
  const shop = await installedShop(owner);
  await connect(owner, shop);
  const pool = openProcessPool({
    ...{ url: loginAs(owner.url, "pathway_intake"), tenantKey, poolSize: 2, onError: () => {} },
  });
  onTestFinished(() => pool.end());
  const address = await owner.tenancy.inShop(shop, (t) => t.connections.find("staging"));
  const secrets = createConnectionSecrets(pool, web.sealers);
  expect(await secrets.byAddress(address?.addressToken ?? "")).toMatchObject({ shop });
  const write = createInboxWriter({ pool, sealers: web.sealers });
  const message = { source: "shopify", topic: "orders/paid", body: randomBytes(20) } as const;
  for (const eventId of ["one", "one", "two"])
    await write({ ...message, shop, eventId, deliveryId: null, triggeredAt: null });
  expect((await owner.pool.query("SELECT FROM inbox WHERE shop = $1", [shop])).rowCount).toBe(2);

  const { rows } = await owner.pool.query<{ name: string }>(
    `SELECT DISTINCT split_part(table_name, '(', 1) AS name FROM access_grants
     WHERE role = 'pathway_intake' AND privilege NOT LIKE 'policy %' ORDER BY 1`,
  );
  expect(rows.map(({ name }) => name)).toEqual([
    "_prisma_migrations",
    "access_grants",
    "connections",
    "data_keys",
    "database_identity",
    "enter_process",
    "entered_shop",
    "inbox",
    "inbox_id_seq",
    "is_process",
    "live_identity",
    "present_access",
    "schema public",
    "shop_keys",
    "shops",
  ]);
  await expect(pool.query("SELECT body_sealed FROM inbox")).rejects.toMatchObject({
    code: "42501",
  });
});
