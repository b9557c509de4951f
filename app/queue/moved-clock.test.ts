import { afterAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { openTestDatabase } from "../../test/database/database.ts";
import { movableDatabaseClock } from "../../test/database/movable-database-clock.ts";
import { SILENT_LOOP } from "../../test/database/vitals.ts";
import { createLogger } from "../platform/logger.ts";
import { claimJobs } from "./claim-jobs.ts";
import { prepared, startEngine } from "./engine.ts";
import { startJobRunner } from "./job-runner.ts";
import { superviseQueues } from "./supervision.ts";

const LIVE = "create-referral";
const NAME = "send-mail";
const logger = createLogger("silent");
const database = await openTestDatabase();
const moveClock = await movableDatabaseClock(database);
const engine = await startEngine({ databaseUrl: database.url, logger, poolSize: 4 });
const db = prepared(engine.pool);
afterAll(() => engine.stop());
let tests = 0;
/** Keys of a test's own: pg-boss goes on for up to a second after it to claim no key that was active when it last counted. */
const own = (singletonKey: string) => `${tests}: ${singletonKey}`;
beforeEach(async () => {
  tests++;
  await moveClock("0 seconds");
  await database.pool.query("DELETE FROM pgboss.job");
  await database.pool.query(
    "UPDATE pgboss.queue SET monitor_claim_on = now(), maintain_on = now(), singletons_active = NULL",
  );
});
const soon = { timeout: 40_000 };

function supervise(everyMs = 20) {
  let turns = 0;
  let failures = 0;
  const supervision = superviseQueues({
    ...{ boss: engine.boss, db, names: [LIVE, NAME], everyMs },
    loop: { turned: () => void turns++, failed: () => void failures++ },
  });
  onTestFinished(() => supervision.stop());
  return { turns: () => turns, failures: () => failures };
}

/** Begins a job in a process that is alive, and tells how often it was begun. */
async function beginAlive() {
  const end = Promise.withResolvers<void>();
  let begun = 0;
  const runner = startJobRunner({
    ...{ name: LIVE, boss: engine.boss, db, logger, loop: SILENT_LOOP, restMs: 100 },
    concurrency: { slots: 5, slotsForOneShop: 5 },
    task: () => {
      begun++;
      return end.promise;
    },
  });
  onTestFinished(async () => {
    end.resolve();
    await runner.close();
  });
  await insert("alive", LIVE);
  const woken = () => {
    runner.wake();
    return begun;
  };
  await expect.poll(woken, soon).toBe(1);
  return () => begun;
}

const insert = (singletonKey: string, name = NAME, startAfter?: number) =>
  engine.boss.insert(name, [
    { data: {}, singletonKey: own(singletonKey), ...(startAfter ? { startAfter } : {}) },
  ]);

/** Claims a job in a process that dies at once. */
const claimAndDie = async () =>
  (await claimJobs({ name: NAME, boss: engine.boss, db }, { batchSize: 1, ignoreGroups: [] })).jobs;

async function stateOf(singletonKey: string) {
  const { rows } = await database.pool.query<{ state: string }>(
    "SELECT state::text FROM pgboss.job WHERE singleton_key = $1",
    [own(singletonKey)],
  );
  return rows.map(({ state }) => state);
}

/** In how many seconds a job is due. */
async function waits(singletonKey: string): Promise<number | undefined> {
  const { rows } = await database.pool.query<{ seconds: number }>(
    "SELECT extract(epoch FROM start_after - now())::float8 AS seconds FROM pgboss.job WHERE singleton_key = $1",
    [own(singletonKey)],
  );
  return rows[0]?.seconds;
}

test("a clock that leaps ahead takes no job from a worker that is alive", async () => {
  const begun = await beginAlive();
  await insert("dead");
  expect(await claimAndDie()).toHaveLength(1);
  const { turns } = supervise();
  await expect.poll(turns, soon).toBeGreaterThan(1);
  await moveClock("1 hour");
  await expect.poll(() => stateOf("dead"), soon).toEqual(["retry"]);
  expect(await stateOf("alive")).toEqual(["active"]);
  expect(begun()).toBe(1);
});

test("a database that was away takes no job from a worker that is alive", async () => {
  const begun = await beginAlive();
  await insert("dead");
  expect(await claimAndDie()).toHaveLength(1);
  await database.pool.query("UPDATE pgboss.job SET heartbeat_seconds = 4");
  const { turns, failures } = supervise(1_000);
  await expect.poll(turns, soon).toBeGreaterThan(0);
  await database.whileDown(() => expect.poll(failures, soon).toBeGreaterThan(5));
  await expect.poll(() => stateOf("dead"), soon).toEqual(["retry"]);
  expect(await stateOf("alive")).toEqual(["active"]);
  expect(begun()).toBe(1);
});

test.each(["before", "after"])(
  "a clock that is set back lets nothing sleep that waited for moments: a process started %s it",
  async (when) => {
    await moveClock("10 days");
    await insert("dead");
    expect(await claimAndDie()).toHaveLength(1);
    await insert("failed");
    expect(await claimAndDie()).toHaveLength(1);
    await engine.boss.fail(NAME, (await idOf("failed")) ?? "");
    expect(await stateOf("failed")).toEqual(["retry"]);
    await insert("due");
    await insert("due in a minute", NAME, 60);
    await insert("page@1796000000000", NAME, 60);
    await insert("reminder@1796000000000", NAME, 86_400);
    await engine.boss.supervise();
    const { turns } = when === "before" ? supervise() : { turns: () => 1 };
    await expect.poll(turns, soon).toBeGreaterThan(0);
    await moveClock("0 seconds");
    if (when === "after") supervise();
    for (const key of ["due", "failed"])
      await expect.poll(() => waits(key), soon).toBeLessThanOrEqual(0);
    for (const key of ["due in a minute", "page@1796000000000"])
      await expect.poll(() => waits(key), soon).toBeLessThanOrEqual(60);
    // It may wait for a day of its own.
    expect(await waits("reminder@1796000000000")).toBeGreaterThan(86_400);
    await database.pool.query("UPDATE pgboss.job SET heartbeat_seconds = 1");
    await expect.poll(() => stateOf("dead"), soon).toEqual(["retry"]);
  },
);

async function idOf(singletonKey: string) {
  const { rows } = await database.pool.query<{ id: string }>(
    "SELECT id FROM pgboss.job WHERE singleton_key = $1",
    [own(singletonKey)],
  );
  return rows[0]?.id;
}
