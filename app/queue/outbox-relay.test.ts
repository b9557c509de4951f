/** Long because one relay takes messages and work alike, and each is tried twice, late and beside another relay. */
import type { Writable } from "node:stream";
import { afterAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { openTestDatabase } from "../../test/database/database.ts";
import { countHeld, endWaitingHolders } from "../../test/database/locks.ts";
import { SILENT_LOOP } from "../../test/database/vitals.ts";
import { readEvent } from "../clients/referral-service/events/read-event.ts";
import { READ_TOPICS, readWebhook } from "../clients/shopify/read-webhook.ts";
import type { Job } from "../modules/reports/jobs.ts";
import { systemClock } from "../platform/clock.ts";
import { openDatabase } from "../platform/database/database.ts";
import { createLogger } from "../platform/logger.ts";
import { type Engine, prepareEngine, startEngine } from "./engine.ts";
import { createInboxRouter } from "./inbox-router.ts";
import { listenForJobs } from "./job-notifier.ts";
import { type OutboxRelay, startOutboxRelay } from "./outbox-relay.ts";
import { shortKey } from "./short-key.ts";

const SHOP = "one.myshopify.com";
const logger = createLogger("silent");
const db = await openTestDatabase();
const inboxRouter = createInboxRouter({
  sealers: db.sealers,
  topics: READ_TOPICS,
  readMessage: readWebhook,
  readEvent: (body) => readEvent(body, {}),
  ...{ logger, clock: systemClock },
});
const engine = await startEngine({ databaseUrl: db.url, logger, poolSize: 4 });
afterAll(() => engine.stop());

beforeEach(async () => {
  await db.pool.query("TRUNCATE inbox, outbox");
  await db.pool.query("DELETE FROM pgboss.job");
});

interface JobRow {
  name: string;
  data: Record<string, unknown>;
  state: string;
  due: boolean;
}
const jobs = async () =>
  (
    await db.pool.query<JobRow>(
      "SELECT name, data, state::text, start_after <= now() AS due FROM pgboss.job ORDER BY name, state",
    )
  ).rows;

const count = async (table: string, where = "true") =>
  (await db.pool.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table} WHERE ${where}`))
    .rows[0]?.n;

/** Messages that each have a job of their own. */
async function receive(messages: number, source = "shopify"): Promise<void> {
  await db.pool.query(
    `INSERT INTO inbox (shop, source, topic, event_id)
     SELECT $1, $2, 'app/uninstalled', 'event-' || n FROM generate_series(1, $3) AS n`,
    [SHOP, source, messages],
  );
}

const enqueue = (job: Job, startAfter?: Date) =>
  db.tenancy.inShop(SHOP, (tenant) => tenant.jobs.enqueue(job, startAfter ? { startAfter } : {}));

/** Lets relays run until nothing is left to move. */
async function relayUntilEmpty(...relays: OutboxRelay[]): Promise<void> {
  for (const relay of relays) relay.wake();
  await Promise.all(relays.map((relay) => relay.stop()));
}
const relay = (with_: Engine = engine) =>
  startOutboxRelay({ pool: db.pool, engine: with_, inboxRouter, loop: SILENT_LOOP });

test("turns each stored message into one job that names it", async () => {
  await receive(2, "shopify");
  await receive(1, "service");
  const { rows } = await db.pool.query<{ id: string }>("SELECT id FROM inbox ORDER BY id");
  await relayUntilEmpty(relay());
  const made = (await jobs()).map(({ name, data }) => ({ name, data }));
  expect(made).toHaveLength(3);
  expect(made).toEqual(
    expect.arrayContaining([
      { name: "handle-webhook", data: { shop: SHOP, inboxId: rows[0]?.id } },
      { name: "handle-webhook", data: { shop: SHOP, inboxId: rows[1]?.id } },
      { name: "handle-service-event", data: { shop: SHOP, inboxId: rows[2]?.id } },
    ]),
  );
  expect(await count("inbox", "state = 'queued'")).toBe(3);
});

test("moves more than one batch without being woken again", async () => {
  await receive(2500);
  const moving = relay();
  moving.wake();
  await expect.poll(() => count("inbox", "state = 'received'"), { timeout: 15_000 }).toBe(0);
  await moving.stop();
  expect(await count("pgboss.job")).toBe(2500);
});

test("moves what was queued with its time, and leaves nothing behind", async () => {
  const later = new Date(Date.now() + 3_600_000);
  await enqueue({ name: "create-referral", shop: SHOP, requestId: "r-1" });
  await enqueue({ name: "resolve-ambiguous", shop: SHOP, requestId: "r-1" }, later);
  await relayUntilEmpty(relay());
  expect(await jobs()).toMatchObject([
    { name: "create-referral", data: { shop: SHOP, requestId: "r-1" }, due: true },
    { name: "resolve-ambiguous", data: { shop: SHOP, requestId: "r-1" }, due: false },
  ]);
  expect(await count("outbox")).toBe(0);
});

test("announces work that is due, and none that waits for its time", async () => {
  const heard: string[] = [];
  const listening = Promise.withResolvers<void>();
  const listener = listenForJobs({
    ...{ databaseUrl: db.url, logger, onGap: listening.resolve },
    onJobs: (name) => heard.push(name),
  });
  onTestFinished(() => listener.stop());
  await listening.promise;
  const later = new Date(Date.now() + 3_600_000);
  await enqueue({ name: "resolve-ambiguous", shop: SHOP, requestId: "r-1" }, later);
  await relayUntilEmpty(relay());
  await enqueue({ name: "create-referral", shop: SHOP, requestId: "r-1" });
  await relayUntilEmpty(relay());
  await expect.poll(() => heard).toContain("create-referral");
  expect(heard).toEqual(["create-referral"]);
});

test("a pass that moves a message and work writes to the database three times", async () => {
  const own = openDatabase({ url: db.url, poolSize: 1, onError: () => {} });
  onTestFinished(() => own.close());
  const client = await own.pool.connect();
  let writes = 0;
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection;
  for (const method of ["_write", "_writev"] as const) {
    const write = stream[method]?.bind(stream) as (...values: unknown[]) => void;
    stream[method] = (...values: unknown[]) => {
      writes++;
      write(...values);
    };
  }
  client.release();
  await receive(1);
  await enqueue({ name: "create-referral", shop: SHOP, requestId: "r-1" });
  await relayUntilEmpty(
    startOutboxRelay({ pool: own.pool, engine, inboxRouter, loop: SILENT_LOOP }),
  );
  expect(await jobs()).toHaveLength(2);
  expect(writes).toBe(3);
});

test("work that waits for its time does not swallow the same work that is due", async () => {
  const job: Job = { name: "create-referral", shop: SHOP, requestId: "r-1" };
  await enqueue(job, new Date(Date.now() + 3_600_000));
  await relayUntilEmpty(relay());
  await enqueue(job);
  await relayUntilEmpty(relay());
  expect((await jobs()).map((one) => one.due)).toEqual(expect.arrayContaining([true, false]));
});

test("the same work asked for many times is done once, and again when it is asked for while it runs", async () => {
  const job: Job = { name: "refetch-result", shop: SHOP, environment: "staging", uuid: "u-1" };
  for (let hint = 0; hint < 20; hint++) await enqueue(job);
  await relayUntilEmpty(relay());
  expect(await jobs()).toHaveLength(1);
  const [running] = await engine.boss.fetch("refetch-result");
  expect(running).toBeDefined();
  await enqueue(job);
  await relayUntilEmpty(relay());
  expect((await jobs()).map((one) => one.state).sort()).toEqual(["active", "created"]);
});

test("work of two shops with the same ids is not the same work", async () => {
  const other = "two.myshopify.com";
  await enqueue({ name: "create-referral", shop: SHOP, requestId: "r-1" });
  await db.tenancy.inShop(other, (tenant) =>
    tenant.jobs.enqueue({ name: "create-referral", shop: other, requestId: "r-1" }),
  );
  await relayUntilEmpty(relay());
  expect(await jobs()).toHaveLength(2);
});

test("a transaction that is rolled back queues nothing", async () => {
  const failing = db.tenancy.inShop(SHOP, async (tenant) => {
    await tenant.jobs.enqueue({ name: "create-referral", shop: SHOP, requestId: "r-1" });
    throw new Error("changed my mind");
  });
  await expect(failing).rejects.toThrow("changed my mind");
  await relayUntilEmpty(relay());
  expect(await jobs()).toEqual([]);
});

test("several relays side by side lose nothing and double nothing", async () => {
  await receive(3000);
  const relays = [relay(), relay(), relay(), relay()];
  const left = () => {
    for (const one of relays) one.wake();
    return count("inbox", "state = 'received'");
  };
  await expect.poll(left, { interval: 20, timeout: 10_000 }).toBe(0);
  await relayUntilEmpty(...relays);
  const { rows } = await db.pool.query<{ n: number; different: number }>(
    "SELECT count(*)::int AS n, count(DISTINCT data->>'inboxId')::int AS different FROM pgboss.job",
  );
  expect(rows[0]).toEqual({ n: 3000, different: 3000 });
});

test("relays that move the same work in another order do not wait for each other's end", async () => {
  const names = ["refetch-referral", "reconcile-order"];
  const failures: unknown[] = [];
  const loop = { turned: () => {}, failed: (error: unknown) => void failures.push(error) };
  const relays = [1, 2].map(() => startOutboxRelay({ pool: db.pool, engine, inboxRouter, loop }));
  for (let round = 0; round < 5; round++) {
    await db.pool.query(
      `INSERT INTO outbox (shop, name, singleton_key, payload)
       SELECT $1, ($2::text[])[1 + (n + half) % 2], 'key ' || n / 2, jsonb_build_object('shop', $1::text)
       FROM (VALUES (0), (1)) AS halves (half), generate_series(0, 999) AS at, LATERAL (
         SELECT CASE half WHEN 0 THEN at ELSE 1000 - at END AS n) AS turned ORDER BY half, at`,
      [SHOP, names],
    );
    const left = () => {
      for (const one of relays) one.wake();
      return count("outbox");
    };
    await expect.poll(left, { interval: 20, timeout: 10_000 }).toBe(0);
  }
  await relayUntilEmpty(...relays);
  expect(failures).toEqual([]);
});

test("work that was queued while the clock was ahead waits no longer than it was asked to", async () => {
  for (const [key, wait] of [
    ["at once", "0 seconds"],
    ["in an hour", "1 hour"],
  ])
    await db.pool.query(
      `INSERT INTO outbox (shop, name, singleton_key, payload, created_at, start_after)
       SELECT $1, 'create-referral', $2, jsonb_build_object('shop', $1::text), ahead, ahead + $3::interval
       FROM (SELECT now() + interval '10 days' AS ahead) AS clock`,
      [SHOP, key, wait],
    );
  await relayUntilEmpty(relay());
  const { rows } = await db.pool.query<{ key: string; hours: number }>(
    `SELECT singleton_key AS key, round(extract(epoch FROM start_after - now()) / 3600)::int AS hours
     FROM pgboss.job ORDER BY start_after`,
  );
  expect(rows).toEqual([
    { key: "at once", hours: 0 },
    { key: "in an hour", hours: 1 },
  ]);
});

test("the engine gets a short key, by which the same work collapses still", async () => {
  const at = new Date(Date.now() + 60_000);
  for (const startAfter of [undefined, undefined, at, at])
    await enqueue({ name: "create-referral", shop: SHOP, requestId: "r-1" }, startAfter);
  await relayUntilEmpty(relay());
  const { rows } = await db.pool.query<{ key: string }>(
    "SELECT singleton_key AS key FROM pgboss.job ORDER BY start_after",
  );
  const key = shortKey(`${SHOP} r-1`);
  expect(rows.map((row) => row.key)).toEqual([key, `${key}@${at.getTime()}`]);
});

test("rows that another relay is moving are left to it, without waiting", async () => {
  await receive(3);
  const other = await db.pool.connect();
  await other.query("BEGIN");
  await other.query("SELECT FROM inbox ORDER BY id LIMIT 1 FOR UPDATE");
  await relayUntilEmpty(relay());
  expect(await jobs()).toHaveLength(2);
  await other.query("ROLLBACK");
  other.release();
  await relayUntilEmpty(relay());
  expect(await jobs()).toHaveLength(3);
});

test("a pass whose database connection is killed before the commit changes nothing; the next one does it all", async () => {
  await receive(5);
  await enqueue({ name: "create-referral", shop: SHOP, requestId: "r-1" });
  // Jobs cannot be inserted while this lock is held: the pass stands between its two halves. The engine's own connections may
  // wait for it as well, and hold nothing of the inbox.
  const owner = await db.pool.connect();
  await owner.query("BEGIN");
  await owner.query("LOCK TABLE pgboss.job IN EXCLUSIVE MODE");
  const interrupted = relay();
  interrupted.wake();
  await expect.poll(() => endWaitingHolders(db, "inbox"), { timeout: 15_000 }).toBe(1);
  await interrupted.stop();
  await owner.query("ROLLBACK");
  owner.release();
  expect(await count("inbox", "state = 'received'")).toBe(5);
  expect(await count("outbox")).toBe(1);
  expect(await jobs()).toEqual([]);
  // A backend that ends tells its client first and lets go of its rows afterwards; the next pass would skip them.
  await expect.poll(() => countHeld(db, "inbox"), { timeout: 15_000 }).toBe(0);
  await relayUntilEmpty(relay());
  expect(await jobs()).toHaveLength(6);
  expect(await count("outbox")).toBe(0);
});

test("a relay that was never woken finds rows by itself", async () => {
  const idle = relay();
  await receive(1);
  await expect.poll(() => count("pgboss.job"), { timeout: 15_000 }).toBe(1);
  await idle.stop();
});

test("moves what an earlier version queued under another name to the present one", async () => {
  const catchUpId = "0198f6f4-0000-7000-8000-000000000001";
  await db.pool.query(
    `INSERT INTO outbox (shop, name, singleton_key, payload) VALUES ($1, 'catch-up-page', 'k', $2)`,
    [SHOP, { shop: SHOP, catchUpId }],
  );
  await engine.boss.createQueue("tail-connection");
  await engine.boss.insert("tail-connection", [
    { data: { shop: SHOP, environment: "staging" }, singletonKey: "k" },
  ]);

  await prepareEngine({ databaseUrl: db.url, logger });
  const upgraded = await startEngine({ databaseUrl: db.url, logger, poolSize: 4 });
  onTestFinished(() => upgraded.stop());
  await relayUntilEmpty(relay());

  expect((await jobs()).map(({ name, data }) => [name, data])).toEqual([
    ["import-orders", { shop: SHOP, orderImportId: catchUpId }],
    ["sync-connection", { shop: SHOP, environment: "staging" }],
  ]);
  expect(await engine.boss.getQueue("tail-connection")).toBeNull();
});
