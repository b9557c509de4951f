import { afterAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { openTestDatabase } from "../../test/database/database.ts";
import { createLogger } from "../platform/logger.ts";
import { claimJobs } from "./claim-jobs.ts";
import { prepared, startEngine } from "./engine.ts";
import { superviseQueues } from "./supervision.ts";

const NAMES = ["create-referral", "send-mail"];
const database = await openTestDatabase();
const engine = await startEngine({
  ...{ databaseUrl: database.url, logger: createLogger("silent"), poolSize: 2 },
});
afterAll(() => engine.stop());
const db = prepared(engine.pool);
beforeEach(async () => {
  await database.pool.query("DELETE FROM pgboss.job");
  await lastHousekeeping("2 seconds");
});

const lastHousekeeping = (ago: string) =>
  database.pool.query("UPDATE pgboss.queue SET monitor_claim_on = now() - $1::interval", [ago]);

/** Supervises until the test ends, and tells how often it has looked. */
function supervise(boss = engine.boss) {
  let turns = 0;
  const failures: unknown[] = [];
  const supervision = superviseQueues({
    ...{ boss, db, names: NAMES, everyMs: 20 },
    loop: { turned: () => void turns++, failed: (error) => void failures.push(error) },
  });
  onTestFinished(() => {
    supervision.stop();
    if (boss === engine.boss) expect(failures).toEqual([]);
  });
  return { turns: () => turns, failures };
}

const claim = async (name: string) =>
  (await claimJobs({ name, boss: engine.boss, db }, { batchSize: 1, ignoreGroups: [] })).jobs;

async function states() {
  const { rows } = await database.pool.query<{ name: string; state: string }>(
    "SELECT name, state::text FROM pgboss.job ORDER BY name",
  );
  return rows.map(({ name, state }) => `${name} ${state}`);
}

/** How many queues have keys noted as active. */
const noted = async () =>
  (await database.pool.query("SELECT FROM pgboss.queue WHERE singletons_active IS NOT NULL"))
    .rowCount;

test("writes nothing while nothing is overdue", async () => {
  await engine.boss.insert("send-mail", [{ data: {}, singletonKey: "one" }]);
  expect(await claim("send-mail")).toHaveLength(1);
  const versions = async () =>
    (await database.pool.query("SELECT name, xmin::text, ctid::text FROM pgboss.queue ORDER BY 1"))
      .rows;
  const { turns } = supervise();
  await expect.poll(turns).toBeGreaterThan(0);
  const before = await versions();
  const seen = turns();
  await expect.poll(turns).toBeGreaterThan(seen + 5);
  expect(await versions()).toEqual(before);
  expect(await states()).toEqual(["send-mail active"]);
});

test.each([
  ["whose worker is silent", "heartbeat_on = now() - interval '11 seconds'"],
  ["that runs for too long", "started_on = now() - interval '301 seconds'"],
])("a job %s may be claimed again, and no other", async (_what, isOverdue) => {
  for (const name of NAMES) {
    await engine.boss.insert(name, [{ data: {}, singletonKey: "one" }]);
    expect(await claim(name)).toHaveLength(1);
  }
  await database.pool.query(`UPDATE pgboss.job SET ${isOverdue} WHERE name = 'send-mail'`);
  supervise();
  await expect
    .poll(states, { timeout: 5_000 })
    .toEqual(["create-referral active", "send-mail retry"]);
});

test("work is claimed as soon as what was active under its key has ended, whatever was noted meanwhile", async () => {
  await engine.boss.insert("send-mail", [{ data: {}, singletonKey: "one" }]);
  const [first] = await claim("send-mail");
  // It counts once a second at most.
  const count = () => engine.boss.supervise().then(noted);
  await expect.poll(count, { timeout: 5_000 }).toBe(1);
  supervise();
  await expect.poll(noted, { timeout: 5_000 }).toBe(0);
  await engine.boss.insert("send-mail", [{ data: {}, singletonKey: "one" }]);
  await engine.boss.complete("send-mail", first?.id ?? "");
  await expect.poll(async () => (await claim("send-mail")).length, { timeout: 5_000 }).toBe(1);
});

test("a queue that can't be supervised keeps no other from it, and is told", async () => {
  for (const name of NAMES) {
    await engine.boss.insert(name, [{ data: {}, singletonKey: "one" }]);
    expect(await claim(name)).toHaveLength(1);
  }
  await database.pool.query("UPDATE pgboss.job SET heartbeat_on = now() - interval '11 seconds'");
  await database.pool.query("UPDATE pgboss.queue SET singletons_active = ARRAY['one']");
  const refusal = new Error("no supervision");
  const boss = Object.create(engine.boss);
  boss.supervise = async (name: string) => {
    if (name === "create-referral") throw refusal;
    await engine.boss.supervise(name);
  };
  const { failures, turns } = supervise(boss);
  await expect
    .poll(states, { timeout: 5_000 })
    .toEqual(["create-referral active", "send-mail retry"]);
  await expect.poll(noted, { timeout: 5_000 }).toBe(0);
  expect(failures).toContain(refusal);
  expect(turns()).toBe(0);
});

test("a queue whose row somebody has locked keeps no other from being supervised", async () => {
  await database.pool.query("UPDATE pgboss.queue SET singletons_active = ARRAY['one']");
  const locker = await database.pool.connect();
  onTestFinished(() => locker.release(true));
  await locker.query("BEGIN; SELECT FROM pgboss.queue WHERE name = 'send-mail' FOR UPDATE");
  const { turns } = supervise();
  await expect.poll(turns, { timeout: 5_000 }).toBeGreaterThan(1);
  expect(await noted()).toBe(1);
  await locker.query("COMMIT");
  await expect.poll(noted, { timeout: 5_000 }).toBe(0);
});

test("a row of a queue whose key an insert holds is counted as nobody's", async () => {
  await database.pool.query("UPDATE pgboss.queue SET singletons_active = ARRAY['one']");
  const inserter = await database.pool.connect();
  onTestFinished(() => inserter.release(true));
  // The lock that the foreign key of a new job takes.
  await inserter.query("BEGIN; SELECT FROM pgboss.queue WHERE name = 'send-mail' FOR KEY SHARE");
  supervise();
  await expect.poll(noted, { timeout: 5_000 }).toBe(0);
});

const HOUSEKEEPING = `
  SELECT count(*)::int AS n FROM pgboss.queue WHERE name = ANY($1) AND monitor_claim_on > now() - interval '30 seconds'`;
const keptHouse = async () =>
  (await database.pool.query<{ n: number }>(HOUSEKEEPING, [NAMES])).rows[0]?.n;

test("housekeeping is done as soon as it is a minute old, however short the lives of the processes are", async () => {
  await lastHousekeeping("61 seconds");
  await engine.boss.insert("send-mail", [{ data: {}, singletonKey: "ended" }]);
  const [job] = await claim("send-mail");
  await engine.boss.cancel("send-mail", job?.id ?? "");
  await database.pool.query("UPDATE pgboss.job SET completed_on = now() - interval '2 hours'");
  await database.pool.query("UPDATE pgboss.queue SET maintain_on = now() - interval '25 hours'");
  supervise();
  await expect.poll(states, { timeout: 5_000 }).toEqual([]);
  expect(await keptHouse()).toBe(NAMES.length);
});

test("housekeeping that another process did within the minute is left at that", async () => {
  await lastHousekeeping("40 seconds");
  const { turns } = supervise();
  await expect.poll(turns, { timeout: 5_000 }).toBeGreaterThan(3);
  expect(await keptHouse()).toBe(0);
});

test("work that nobody could do for a year is still there", async () => {
  await engine.boss.insert("send-mail", [{ data: {}, singletonKey: "patient" }]);
  await database.pool.query(
    `UPDATE pgboss.job SET created_on = created_on - interval '1 year', start_after = start_after - interval '1 year',
                           keep_until = keep_until - interval '1 year'`,
  );
  await lastHousekeeping("61 seconds");
  await database.pool.query("UPDATE pgboss.queue SET maintain_on = NULL");
  await engine.boss.supervise();
  const { rows } = await database.pool.query(
    "SELECT FROM pgboss.queue WHERE name = 'send-mail' AND maintain_on IS NOT NULL",
  );
  expect(rows).toHaveLength(1);
  expect(await states()).toEqual(["send-mail created"]);
});
