import { mkdtempSync, rmSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { startPostgres } from "../../tools/embedded-postgres.ts";
import { startWorld, type TestWorld } from "../harness/index.ts";
import { readMetrics, sampleOf } from "../harness/metrics.ts";
import type { ChaosOptions } from "./arguments.ts";
import { startLoad } from "./load-generator.ts";
import { setFaults } from "./phases.ts";
import { randomFrom } from "./random.ts";
import { settle } from "./settle.ts";
import { openOffice } from "./staff.ts";
import { startProxy } from "./switchable-proxy.ts";
import { judge, type Verdict } from "./verdict.ts";

const CREATE_TIMEOUT_MS = 4000;
const SKEW_MINUTES = 30;
const SKEWED_CLOCK = fileURLToPath(new URL("./skewed-clock.mjs", import.meta.url));
/** How soon a process must say that it is not ready, and how soon work must move again. */
const UNREADY_WITHIN_MS = 10_000;
const MOVING_WITHIN_MS = 30_000;

export interface OutageReport {
  verdict: Verdict;
  /** The measurements on the way, a line each. */
  told: string[];
}

/**
 * Clocks that are wrong: the first process's is half an hour fast, the workers' half an hour slow, while answers are
 * lost and the service commits late.
 */
export async function runSkew(options: ChaosOptions): Promise<OutageReport> {
  await using world = await startWorld({
    ...worldOf(options),
    env: {
      ...ENVIRONMENT,
      PATHWAY_WORLD_PRELOAD: SKEWED_CLOCK,
      SKEW_APP_MINUTES: String(SKEW_MINUTES),
      SKEW_WORKER_MINUTES: String(-SKEW_MINUTES),
    },
  });
  const { app, workers } = world.line.admin_urls;
  for (const [url, minutes] of [[app, SKEW_MINUTES], ...workers.map((one) => [one, -SKEW_MINUTES])])
    await isOffBy(String(url), Number(minutes));
  const service = { createLateCommitMs: 3000, createCommitThenDrop: 0.3 };
  return await sellThrough(world, options, async () => {
    await setFaults(world, [{ name: "late commits", service }]);
    await delay(8_000);
    await setFaults(world, []);
  });
}

/** Until a process itself finds that its clock is wrong: else nothing is tried. */
const isOffBy = (url: string, minutes: number) =>
  secondsUntil(`a clock is ${minutes} minutes off`, MOVING_WITHIN_MS, async () => {
    const metrics = readMetrics(await (await fetch(`${url}/metrics`)).text());
    const off = sampleOf(metrics, "pathway_clock_skew_seconds") ?? 0;
    return Math.abs(off - minutes * 60) < 60;
  });

/**
 * Connections that freeze while new ones work, as in a cloud's failover; then none works for a while. Throws when a
 * process says too late that it is not ready, when it ends, or when work stands still for too long afterwards.
 */
export async function runFreeze(options: ChaosOptions): Promise<OutageReport> {
  const folder = mkdtempSync(join(tmpdir(), "pathway-freeze-"));
  // PostgreSQL, which may run as another user, must be able to pass through.
  await chmod(folder, 0o711);
  const postgres = await startPostgres({ dir: join(folder, "postgres"), port: 0 });
  await using proxy = await startProxy(Number(new URL(postgres.url).port));
  try {
    const databaseUrl = `postgresql://postgres@127.0.0.1:${proxy.port}/pathway`;
    await using world = await startWorld({ ...worldOf(options), databaseUrl, env: ENVIRONMENT });
    return await sellThrough(world, options, async (told) => {
      const before = await world.processes();
      proxy.freeze();
      told.push(`frozen connections: moving after ${await untilMoving(world)} s`);
      proxy.hold(true);
      proxy.freeze();
      told.push(`no connection: unready after ${await untilUnready(world)} s`);
      proxy.hold(false);
      told.push(`no connection: moving after ${await untilMoving(world)} s`);
      const after = await world.processes();
      if (after.app !== before.app) throw new Error("An unreachable database ended a process");
    });
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const ENVIRONMENT = {
  PATHWAY_CREATE_TIMEOUT_MS: String(CREATE_TIMEOUT_MS),
  PATHWAY_SYNC_INTERVAL_MS: "3000",
  PATHWAY_MAINTENANCE_INTERVAL_MS: "4000",
  LOG_LEVEL: "warn",
};

const worldOf = ({ workers, quarantineMs }: ChaosOptions) => ({ workers, quarantineMs });

/** Sells half of the orders, lets the outage happen while their forms are filled in, sells the rest, and compares. */
async function sellThrough(
  world: TestWorld,
  { orders, seed }: ChaosOptions,
  outage: (told: string[]) => Promise<void>,
): Promise<OutageReport> {
  const told: string[] = [];
  const load = startLoad(world, randomFrom(seed + 1), seed);
  const office = openOffice(world, randomFrom(seed + 2));
  const over = new AbortController();
  const filling = (async () => {
    while (!over.signal.aborted) {
      await load.fillInForms();
      await delay(200);
    }
  })();
  const sellUntil = async (count: number) => {
    while (load.sold.length < count) await load.sell();
  };
  await sellUntil(orders / 2);
  await outage(told);
  await sellUntil(orders);
  await settle(world, { load, office }, (line) => told.push(line));
  over.abort();
  await filling;
  return { verdict: await judge(world, load), told };
}

/** Seconds until every process says that it is not ready. */
async function untilUnready({ line }: TestWorld): Promise<number> {
  const { app, workers } = line.admin_urls;
  return secondsUntil("every process says that it is not ready", UNREADY_WITHIN_MS, async () => {
    const answers = await Promise.all([app, ...workers].map((url) => fetch(`${url}/readyz`)));
    return answers.every(({ status }) => status === 503);
  });
}

/**
 * Seconds until every process is ready and the inbox is empty again, although messages came. An event about a unit whose
 * creation is unclear was looked at, and waits by the ledger's own rule: it stands still for no connection.
 */
async function untilMoving({ line, store, sql }: TestWorld): Promise<number> {
  const { app, workers } = line.admin_urls;
  await store.createProduct({ title: "Something else", variants: [{ priceCents: 100 }] });
  return secondsUntil("work moves again", MOVING_WITHIN_MS, async () => {
    const answers = await Promise.all([app, ...workers].map((url) => fetch(`${url}/readyz`)));
    if (answers.some(({ status }) => status !== 200)) return false;
    const waiting = sql.count(
      `SELECT count(*) FROM inbox i WHERE state IN ('received', 'queued') AND received_at < now() - interval '2 seconds'
       AND NOT EXISTS (SELECT FROM pgboss.job j WHERE j.state IN ('created', 'retry') AND j.start_after > now()
                       AND j.data->>'inboxId' = i.id::text)`,
    );
    // The test's own connection may be a frozen one as well.
    return (await Promise.race([waiting.catch(() => null), delay(1000, null)])) === 0;
  });
}

async function secondsUntil(
  what: string,
  withinMs: number,
  isSo: () => Promise<boolean>,
): Promise<number> {
  const startedAt = performance.now();
  const passedMs = () => performance.now() - startedAt;
  // A fact from before the outage was noticed says nothing.
  await delay(1500);
  while (!(await isSo())) {
    if (passedMs() > withinMs) throw new Error(`Not within ${withinMs} ms: ${what}`);
    await delay(250);
  }
  return Math.round(passedMs() / 100) / 10;
}
