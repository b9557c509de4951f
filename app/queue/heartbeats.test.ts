import { randomUUID } from "node:crypto";
import { afterAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { openTestDatabase } from "../../test/database/database.ts";
import { installedShop } from "../../test/database/seed.ts";
import { SILENT_LOOP } from "../../test/database/vitals.ts";
import { JOB_NAMES } from "../jobs/definitions.ts";
import type { ShopDomain } from "../modules/kernel/ids.ts";
import { createWorkHealth } from "../modules/reports/postgres/work-health.ts";
import { createLogger } from "../platform/logger.ts";
import { prepared, startEngine } from "./engine.ts";
import { startHeartbeats } from "./heartbeats.ts";
import { startJobRunner } from "./job-runner.ts";
import { startMaintenance } from "./maintenance.ts";
import { watchVitals } from "./vitals.ts";

const logger = createLogger("silent");
const db = await openTestDatabase();
const engine = await startEngine({ databaseUrl: db.url, logger, poolSize: 4 });
afterAll(() => engine.stop());
const readHealth = createWorkHealth(db.pool, JOB_NAMES);
let shop: ShopDomain;

beforeEach(async () => {
  await db.pool.query("TRUNCATE loop_heartbeats, inbox, outbox");
  await db.pool.query("DELETE FROM pgboss.job");
  shop = await installedShop(db);
});

/** A process with a relay, as another process sees it. */
async function startProcess(options: { roles?: string[]; skewMs?: number } = {}) {
  const vitals = watchVitals({ pool: db.pool, logger, onHang: () => {} });
  const relay = vitals.loop("relay");
  const processId = randomUUID();
  const start = () =>
    startHeartbeats({
      pool: db.pool,
      vitals,
      roles: options.roles ?? ["worker"],
      clock: { skewMs: () => options.skewMs ?? null },
      loop: SILENT_LOOP,
      logger,
      processId,
    });
  let heartbeats: ReturnType<typeof start> | undefined;
  const known = async () => {
    const { rows } = await db.pool.query<{ last: string | null }>(
      "SELECT max(beat_at)::text AS last FROM loop_heartbeats WHERE process_id = $1",
      [processId],
    );
    return rows[0]?.last ?? null;
  };
  /** Beats at once, and waits until that is written. */
  const beat = async () => {
    const before = await known();
    const earlier = heartbeats;
    heartbeats = start();
    if (earlier) onTestFinished(() => earlier.stop());
    await expect.poll(known, { timeout: 10_000 }).not.toBe(before);
  };
  onTestFinished(async () => {
    vitals.stop();
    await heartbeats?.stop();
  });
  await beat();
  return { relay, beat, stop: async () => heartbeats?.stop() };
}

/** Lets seconds pass for what is stored. */
const age = (seconds: number) =>
  db.pool.query(
    `UPDATE loop_heartbeats SET beat_at = beat_at - $1 * interval '1 second',
       failing_since = failing_since - $1 * interval '1 second'`,
    [seconds],
  );

test("says that all is well while a worker beats", async () => {
  await startProcess({ roles: ["web", "worker"] });
  expect(await readHealth(shop)).toEqual({
    hasWorker: true,
    workerSeenAt: expect.any(Date),
    troubles: [],
    clockSkewMs: 0,
    messages: null,
    handedOn: null,
    jobs: null,
    retried: [],
  });
});

test("shows a loop that fails in another process, with its code and without its message", async () => {
  const { relay, beat } = await startProcess();
  relay.failed(Object.assign(new Error("Key (email)=(ada@example.com)"), { code: "23505" }));
  await beat();
  const { troubles } = await readHealth(shop);
  expect(troubles).toEqual([
    { kind: "fails", loops: ["relay"], since: expect.any(Date), code: "23505" },
  ]);
  const { rows } = await db.pool.query("SELECT * FROM loop_heartbeats");
  expect(JSON.stringify(rows)).not.toContain("ada@example.com");
  relay.turned();
  await beat();
  expect((await readHealth(shop)).troubles).toEqual([]);
  // The loop's row has gone: one that stays would look like a silent process.
  await age(25);
  await beat();
  expect((await readHealth(shop)).troubles).toEqual([]);
});

test("one row is enough for a process whose loops are well", async () => {
  const { beat } = await startProcess();
  const rows = async () => (await db.pool.query("SELECT loop FROM loop_heartbeats")).rows;
  expect(await rows()).toEqual([{ loop: "process" }]);
  await beat();
  expect(await rows()).toEqual([{ loop: "process" }]);
});

test("shows a process that fell silent, and that no worker is left", async () => {
  await startProcess();
  await age(25);
  const health = await readHealth(shop);
  expect(health.hasWorker).toBe(false);
  expect(health.troubles).toMatchObject([{ kind: "silent", loops: [], code: null }]);
  await age(60);
  const later = await readHealth(shop);
  expect(later.troubles).toEqual([]);
  expect(later.hasWorker).toBe(false);
  expect(later.workerSeenAt).toEqual(expect.any(Date));
});

test("forgets a process that ended in order", async () => {
  const { stop } = await startProcess({ roles: ["web"] });
  await stop();
  expect(await readHealth(shop)).toMatchObject({ troubles: [], workerSeenAt: null });
});

test("shows the skew of the machine that is furthest off, whatever process asks", async () => {
  await startProcess({ skewMs: 10_000 });
  await startProcess({ skewMs: -1_800_000 });
  expect((await readHealth(shop)).clockSkewMs).toBe(-1_800_000);
});

test("a worker that died before the clock was set back is not there, and is removed", async () => {
  await startProcess();
  const { relay, beat } = await startProcess();
  relay.failed(new Error("of before"));
  await beat();
  await age(-3_600);
  expect(await readHealth(shop)).toMatchObject({ hasWorker: false, troubles: [] });
  const seenAt = (await readHealth(shop)).workerSeenAt?.getTime();
  expect(seenAt).toBeLessThan(Date.now() + 60_000);
  const maintenance = startMaintenance(db.pool, SILENT_LOOP, 1_000);
  onTestFinished(() => maintenance.stop());
  const known = async () => (await db.pool.query("SELECT FROM loop_heartbeats")).rowCount;
  await expect.poll(known, { timeout: 10_000 }).toBe(0);
});

test("removes with the maintenance what vanished processes have left", async () => {
  await startProcess();
  // The id of another process, which beats no more.
  const vanished = randomUUID();
  await db.pool.query(
    `INSERT INTO loop_heartbeats (process_id, roles, loop, failures, beat_at)
     SELECT $1, roles, loop, failures, beat_at - interval '70 seconds' FROM loop_heartbeats`,
    [vanished],
  );
  const maintenance = startMaintenance(db.pool, SILENT_LOOP, 1_000);
  onTestFinished(() => maintenance.stop());
  const known = async () => {
    const { rows } = await db.pool.query<{ isVanished: boolean }>(
      'SELECT process_id = $1 AS "isVanished" FROM loop_heartbeats',
      [vanished],
    );
    return rows.map(({ isVanished }) => isVanished);
  };
  expect((await known()).toSorted()).toEqual([false, true]);
  await expect.poll(known, { timeout: 30_000 }).toEqual([false]);
});

test("shows a shop's messages and work that nobody moves, and no other shop's", async () => {
  const other = await installedShop(db);
  await db.pool.query(
    `INSERT INTO inbox (shop, source, topic, event_id, received_at)
     SELECT shop, 'shopify', 'orders/paid', 'event', now() - interval '20 seconds' FROM unnest($1::text[]) AS shop`,
    [[shop, other]],
  );
  await db.pool.query(
    `INSERT INTO outbox (shop, name, singleton_key, payload, created_at, start_after)
     VALUES ($1, 'maintain-shop', 'a', '{}', now() - interval '16 seconds', now() + interval '1 day'),
            ($1, 'maintain-shop', 'b', '{}', now(), now())`,
    [shop],
  );
  await engine.boss.insert("reconcile-order", [
    { data: { shop }, group: { id: shop }, singletonKey: "due", startAfter: secondsFromNow(-20) },
    { data: { shop }, group: { id: shop }, singletonKey: "new" },
    { data: { shop }, group: { id: shop }, singletonKey: "later", startAfter: secondsFromNow(60) },
    { data: { shop: other }, group: { id: other }, startAfter: secondsFromNow(-20) },
  ]);
  const waits = { count: 1, since: expect.any(Date) };
  expect(await readHealth(shop)).toMatchObject({ messages: waits, handedOn: waits, jobs: waits });
});

test("shows jobs that fail again and again, with their kind and code", async () => {
  await engine.boss.insert("reconcile-order", [
    {
      data: { shop },
      group: { id: shop },
      singletonKey: "one",
      retryDelay: 0,
      retryBackoff: false,
    },
  ]);
  const runner = startJobRunner({
    name: "reconcile-order",
    boss: engine.boss,
    db: prepared(engine.pool),
    concurrency: { slots: 5, slotsForOneShop: 5 },
    task: async () => {
      throw new Error("Ada Citizen");
    },
    logger,
    loop: SILENT_LOOP,
    restMs: 10_000,
  });
  onTestFinished(() => runner.close());
  const waking = setInterval(runner.wake, 50);
  onTestFinished(() => clearInterval(waking));
  await expect
    .poll(async () => (await readHealth(shop)).retried, { timeout: 10_000 })
    .toEqual([{ name: "reconcile-order", code: "unexpected", count: 1, since: expect.any(Date) }]);
});

const secondsFromNow = (seconds: number) => new Date(Date.now() + seconds * 1_000);
