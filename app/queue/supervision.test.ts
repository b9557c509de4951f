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
beforeEach(async () => void (await database.pool.query("DELETE FROM pgboss.job")));

/** Supervises until the test ends, and tells how often it has looked. */
function supervise() {
  let turns = 0;
  const failures: unknown[] = [];
  const supervision = superviseQueues({
    ...{ boss: engine.boss, db, names: NAMES, everyMs: 20 },
    loop: { turned: () => void turns++, failed: (error) => void failures.push(error) },
  });
  onTestFinished(() => {
    supervision.stop();
    expect(failures).toEqual([]);
  });
  return { turns: () => turns };
}

const claim = async (name: string) =>
  (await claimJobs({ name, boss: engine.boss, db }, { batchSize: 1, ignoreGroups: [] })).jobs;

async function states() {
  const { rows } = await database.pool.query<{ name: string; state: string }>(
    "SELECT name, state::text FROM pgboss.job ORDER BY name",
  );
  return rows.map(({ name, state }) => `${name} ${state}`);
}

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
  const noted = async () =>
    (await database.pool.query("SELECT FROM pgboss.queue WHERE singletons_active IS NOT NULL"))
      .rowCount;
  // It counts once a second at most.
  const count = () => engine.boss.supervise().then(noted);
  await expect.poll(count, { timeout: 5_000 }).toBe(1);
  supervise();
  await expect.poll(noted, { timeout: 5_000 }).toBe(0);
  await engine.boss.insert("send-mail", [{ data: {}, singletonKey: "one" }]);
  await engine.boss.complete("send-mail", first?.id ?? "");
  await expect.poll(async () => (await claim("send-mail")).length, { timeout: 5_000 }).toBe(1);
});
