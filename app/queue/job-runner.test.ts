/** Long because a job may end in many ways, and each has to leave the queue as the next worker expects it. */
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { openTestDatabase } from "../../test/database/database.ts";
import { SILENT_LOOP } from "../../test/database/vitals.ts";
import type { ConcurrencyLimits } from "../jobs/definitions.ts";
import { endedJobs } from "../platform/counters.ts";
import { ReferralServiceError } from "../platform/errors.ts";
import { createLogger, type Logger } from "../platform/logger.ts";
import { claimJobs } from "./claim-jobs.ts";
import { watchDueJobs } from "./due-jobs.ts";
import { prepared, prepareEngine, startEngine } from "./engine.ts";
import { startJobRunner, type Task } from "./job-runner.ts";

const NAME = "create-referral";
const logger = createLogger("silent");
const database = await openTestDatabase();
const engine = await startEngine({ databaseUrl: database.url, logger, poolSize: 4 });
const db = prepared(engine.pool);
afterAll(() => engine.stop());
beforeEach(async () => {
  await database.pool.query("DELETE FROM pgboss.job");
});

function start(
  task: Task,
  concurrency: ConcurrencyLimits = { slots: 100, slotsForOneShop: 50 },
  told: Logger = logger,
) {
  const runner = startJobRunner({
    name: NAME,
    boss: engine.boss,
    db,
    concurrency,
    task,
    logger: told,
    loop: SILENT_LOOP,
    restMs: 10_000,
  });
  const due = watchDueJobs({ db, names: [NAME], loop: SILENT_LOOP, onDue: runner.wake });
  onTestFinished(async () => {
    due.stop();
    await runner.close();
  });
  return runner;
}

const insert = (shop: string, keys: string[]) =>
  engine.boss.insert(
    NAME,
    keys.map((key) => ({
      data: { shop, key },
      singletonKey: `${shop} ${key}`,
      group: { id: shop },
    })),
  );

const numbers = (count: number) => Array.from({ length: count }, (_, at) => String(at));
const states = async () =>
  (
    await database.pool.query<{ state: string; n: number }>(
      "SELECT state::text, count(*)::int AS n FROM pgboss.job WHERE name = $1 GROUP BY 1 ORDER BY state::text",
      [NAME],
    )
  ).rows;
const eventually = (what: () => Promise<unknown>) => expect.poll(what, { timeout: 40_000 });

/** A task that notes who ran, and hangs for one shop until told otherwise. */
function hangingFor(dead: string) {
  const end = Promise.withResolvers<void>();
  const ran: string[] = [];
  const begun = { [dead]: 0 };
  const task: Task = async (payload) => {
    const { shop } = payload as { shop: string };
    if (shop === dead) {
      begun[dead] = (begun[dead] ?? 0) + 1;
      await end.promise;
    }
    ran.push(shop);
  };
  onTestFinished(() => end.resolve());
  return { task, ran, begun, release: () => end.resolve() };
}

test("a shop whose service hangs has its share of the slots and no more; the others go on", async () => {
  await insert("dead", numbers(300));
  await insert("alive", numbers(200));
  const { task, ran, begun, release } = hangingFor("dead");
  start(task, { slots: 40, slotsForOneShop: 10 });
  // All of the others, though every job of the dead shop came before them and none has ended.
  await eventually(async () => ran.length).toBe(200);
  expect(new Set(ran)).toEqual(new Set(["alive"]));
  expect(begun.dead).toBe(10);
  release();
  await eventually(states).toEqual([]);
});

test("claims nothing until somebody wakes it, and says meanwhile that it is alive", async () => {
  let claims = 0;
  let turns = 0;
  const watched: typeof db = {
    ...db,
    executeSql(text, values) {
      if (text.includes("SKIP LOCKED")) claims++;
      return db.executeSql(text, values);
    },
  };
  const runner = startJobRunner({
    ...{ name: NAME, boss: engine.boss, db: watched, logger, restMs: 5 },
    concurrency: { slots: 5, slotsForOneShop: 5 },
    task: async () => {},
    loop: { turned: () => turns++, failed: () => {} },
  });
  onTestFinished(() => runner.close());
  await eventually(async () => turns).toBeGreaterThan(20);
  expect(claims).toBe(0);
  await insert("shop", ["one"]);
  runner.wake();
  await eventually(states).toEqual([]);
  expect(claims).toBeGreaterThan(0);
});

test("claims again by itself after a claim that failed", async () => {
  let isDown = true;
  let failures = 0;
  const failing: typeof db = {
    ...db,
    async executeSql(text, values) {
      if (isDown) throw new Error("down");
      return db.executeSql(text, values);
    },
  };
  await insert("shop", ["one"]);
  const runner = startJobRunner({
    ...{ name: NAME, boss: engine.boss, db: failing, logger, restMs: 10_000 },
    concurrency: { slots: 5, slotsForOneShop: 5 },
    task: async () => {},
    loop: { turned: () => {}, failed: () => failures++ },
  });
  onTestFinished(() => runner.close());
  runner.wake();
  await eventually(async () => failures).toBeGreaterThan(0);
  isDown = false;
  await eventually(states).toEqual([]);
});

test("a job that failed is told how often", async () => {
  await insert("shop", ["key"]);
  const turns: number[] = [];
  start(async (_, { retries }) => {
    turns.push(retries);
    if (retries < 2) throw new Error("not yet");
  });
  await eventually(states).toEqual([]);
  expect(turns).toEqual([0, 1, 2]);
});

test("does not hold up jobs that were claimed with one that hangs", async () => {
  const end = Promise.withResolvers<void>();
  await insert("shop", numbers(20));
  start(async (payload) => {
    if ((payload as { key: string }).key === "0") await end.promise;
  });
  await eventually(states).toEqual([{ state: "active", n: 1 }]);
  end.resolve();
  await eventually(states).toEqual([]);
});

test("work that waits for the end of the same work does not stop the queue", async () => {
  const end = Promise.withResolvers<void>();
  const begun: string[] = [];
  await insert("shop", ["same"]);
  start(async (payload) => {
    const { key } = payload as { key: string };
    begun.push(key);
    if (key === "same" && begun.filter((one) => one === "same").length === 1) await end.promise;
  });
  await eventually(async () => begun).toEqual(["same"]);
  // It came first among those that wait, and cannot be claimed as long as the other runs.
  await insert("shop", ["same"]);
  await insert("shop", ["other"]);
  await eventually(async () => begun).toEqual(["same", "other"]);
  end.resolve();
  await eventually(async () => begun).toEqual(["same", "other", "same"]);
});

test("a claim that meets work under way keeps its connection", async () => {
  const closed: unknown[] = [];
  // A connection that comes back with an error is closed.
  const note = (error: unknown) => error && closed.push(error);
  engine.pool.on("release", note);
  onTestFinished(() => void engine.pool.off("release", note));
  const claim = () =>
    claimJobs({ name: NAME, boss: engine.boss, db }, { batchSize: 5, ignoreGroups: [] });
  await insert("shop", ["same"]);
  expect((await claim()).jobs).toHaveLength(1);
  await insert("shop", ["same"]);
  expect(await claim()).toEqual({ jobs: [], conflict: true });
  expect(closed).toEqual([]);
});

test("a job that fails is tried again; one that cannot succeed is not", async () => {
  let runs = 0;
  await insert("shop", ["again"]);
  start(async (payload) => {
    if ((payload as { key: string }).key === "never")
      throw new ReferralServiceError("rejected", "refused");
    if (++runs === 1) throw new Error("for a person's eyes: Ada Citizen");
  });
  await eventually(states).toEqual([]);
  expect(runs).toBe(2);
  await insert("shop", ["never"]);
  await eventually(states).toEqual([{ state: "cancelled", n: 1 }]);
  const { rows } = await database.pool.query("SELECT job::text AS text FROM pgboss.job");
  expect(JSON.stringify(rows)).not.toContain("Citizen");
});

test("a job that fails in its last try is told and counted as given up", async () => {
  const told: unknown[] = [];
  const watched = Object.assign(Object.create(logger), {
    error: (line: object, message: string) => void told.push({ ...line, message }),
  });
  const givenUp = () =>
    endedJobs.values().find(({ labels }) => labels.kind === NAME && labels.outcome === "given_up")
      ?.value ?? 0;
  const before = givenUp();
  await insert("shop", ["last"]);
  await database.pool.query("UPDATE pgboss.job SET retry_count = retry_limit");
  start(
    async () => {
      throw new Error("for a person's eyes: Ada Citizen");
    },
    undefined,
    watched,
  );
  await eventually(states).toEqual([{ state: "failed", n: 1 }]);
  expect(givenUp()).toBe(before + 1);
  expect(told).toEqual([
    { job: NAME, id: expect.any(String), code: "unexpected", message: "job given up" },
  ]);
});

test("a mail that failed for two days is tried again, and so are those that an earlier version queued", async () => {
  const name = "send-mail";
  await engine.boss.insert(name, [{ data: {}, singletonKey: "one" }]);
  await database.pool.query("UPDATE pgboss.job SET retry_limit = 600, retry_count = 600");
  await prepareEngine({ databaseUrl: database.url, logger });
  const turns: unknown[] = [];
  const runner = startJobRunner({
    ...{ name, boss: engine.boss, db, logger, loop: SILENT_LOOP, restMs: 10_000 },
    concurrency: { slots: 1, slotsForOneShop: 1 },
    task: async (_, turn) => {
      turns.push(turn);
      throw new ReferralServiceError("timeout", "no answer");
    },
  });
  onTestFinished(() => runner.close());
  runner.wake();
  const job = async () =>
    (
      await database.pool.query(
        "SELECT state::text, output->>'code' AS code FROM pgboss.job WHERE name = $1",
        [name],
      )
    ).rows;
  await eventually(job).toEqual([{ state: "retry", code: "referral_service_timeout" }]);
  expect(turns).toEqual([{ retries: 600, isLast: false }]);
});

test("draining takes nothing more, waits for what runs, and gives the rest back", async () => {
  const end = Promise.withResolvers<void>();
  let begun = 0;
  await insert("shop", numbers(5));
  const runner = start(
    async () => {
      begun++;
      await end.promise;
    },
    { slots: 10, slotsForOneShop: 2 },
  );
  await eventually(async () => begun).toBe(2);
  const drained = runner.drain(delay(10_000, undefined, { ref: false }));
  await insert("shop", ["late"]);
  end.resolve();
  await drained;
  await runner.close();
  expect(begun).toBe(2);
  const { rows } = await database.pool.query<{ n: number }>(
    "SELECT count(*)::int AS n FROM pgboss.job WHERE state IN ('created', 'retry')",
  );
  expect(rows[0]?.n).toBe(4);
  start(async () => {});
  await eventually(states).toEqual([]);
});

test("leaves running jobs to others at once when the process must end", async () => {
  await insert("shop", ["endless"]);
  let begun = 0;
  const runner = start(() => {
    begun++;
    return new Promise(() => {});
  });
  await eventually(async () => begun).toBe(1);
  await runner.drain(Promise.resolve());
  await runner.close();
  expect(await states()).toEqual([{ state: "retry", n: 1 }]);
});

test("a job that was taken over is not settled by the one who lost it", async () => {
  const end = Promise.withResolvers<void>();
  await insert("shop", ["lost"]);
  start(() => end.promise);
  await eventually(states).toEqual([{ state: "active", n: 1 }]);
  // Does as pg-boss does for a claim whose heartbeats stopped, and as another worker does after that.
  await database.pool.query("UPDATE pgboss.job SET retry_count = retry_count + 1 WHERE name = $1", [
    NAME,
  ]);
  end.resolve();
  await insert("shop", ["next"]);
  await eventually(states).toEqual([{ state: "active", n: 1 }]);
});

test("a job that was taken over is not given up by the one who lost it", async () => {
  const end = Promise.withResolvers<void>();
  const { promise: lost, resolve: lose } = Promise.withResolvers<void>();
  await insert("shop", ["lost"]);
  start(async (payload) => {
    if ((payload as { key: string }).key === "next") return lose();
    await end.promise;
    throw new ReferralServiceError("rejected", "refused");
  });
  await eventually(states).toEqual([{ state: "active", n: 1 }]);
  await database.pool.query("UPDATE pgboss.job SET retry_count = retry_count + 1 WHERE name = $1", [
    NAME,
  ]);
  end.resolve();
  await insert("shop", ["next"]);
  await lost;
  await eventually(states).toEqual([{ state: "active", n: 1 }]);
});

test("a job that is begun again in the process where it ran for too long is kept alive when the first run ends", async () => {
  const ends = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let begun = 0;
  await insert("shop", ["long"]);
  start(() => ends[begun++]?.promise ?? Promise.resolve());
  onTestFinished(() => ends[1]?.resolve());
  await eventually(async () => begun).toBe(1);
  await database.pool.query("UPDATE pgboss.job SET started_on = now() - interval '301 seconds'");
  // pg-boss looks after a queue once a second at most.
  await eventually(() => engine.boss.supervise(NAME).then(() => begun)).toBe(2);
  ends[0]?.resolve();
  await insert("shop", ["after"]);
  await eventually(async () => begun).toBe(3);
  await database.pool.query("UPDATE pgboss.job SET heartbeat_on = now() - interval '9 seconds'");
  const age = async () =>
    (
      await database.pool.query<{ seconds: number }>(
        "SELECT extract(epoch FROM now() - heartbeat_on)::float8 AS seconds FROM pgboss.job",
      )
    ).rows[0]?.seconds;
  await eventually(age).toBeLessThan(3);
});

test("goes on after every database connection was lost", async () => {
  const ran: string[] = [];
  start(async (payload) => {
    ran.push((payload as { key: string }).key);
  });
  await insert("shop", ["before"]);
  await eventually(async () => ran).toEqual(["before"]);
  await database.whileDown(async () => {});
  await eventually(() =>
    insert("shop", ["after"]).then(
      () => "stored",
      () => "down",
    ),
  ).toBe("stored");
  await eventually(async () => ran).toContain("after");
});
