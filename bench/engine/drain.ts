import { setTimeout as delay } from "node:timers/promises";
import { cpuTimeMs } from "../cpu-time.ts";
import { type Figures, median } from "../figure.ts";
import { benchPostgres, SHOP, startHost } from "./host.ts";

const ROUNDS = 5;
const JOBS = 30_000;
const GOAL_PER_S = 5_000;

/**
 * P4: jobs that do nothing, from their rows in the outbox until the engine has written down that they are done,
 * by one process: relay, hand-over, claims, completions.
 */
export async function measureDrain(): Promise<Figures> {
  let done = 0;
  let finished = Promise.withResolvers<void>();
  let wanted = 0;
  const task = async () => {
    if (++done === wanted) finished.resolve();
  };
  await using postgres = await benchPostgres();
  await using host = await startHost(postgres.url, task);
  const { pool } = host.database;
  const settled = async () => {
    // The last completions are written after the last task has ended.
    for (;;) {
      const { rows } = await pool.query<{ open: number }>(
        "SELECT count(*)::int AS open FROM pgboss.job WHERE state < 'completed' AND name = ANY($1)",
        [NAMES],
      );
      if (rows[0]?.open === 0) return;
      await delay(5);
    }
  };
  const drain = async (jobs: number) => {
    done = 0;
    wanted = jobs;
    finished = Promise.withResolvers();
    await pool.query(
      `INSERT INTO outbox (shop, name, singleton_key, payload)
       SELECT $1, ($3::text[])[1 + n % 2], $1 || ' ' || n, jsonb_build_object('shop', $1, 'requestId', n)
       FROM generate_series(1, $2) AS n`,
      [SHOP, jobs, NAMES],
    );
    const databaseMs = cpuTimeMs(postgres.pid);
    const ownUs = process.cpuUsage();
    const startedAt = performance.now();
    host.wake();
    await finished.promise;
    await settled();
    const perSecond = (jobs * 1000) / (performance.now() - startedAt);
    const { user, system } = process.cpuUsage(ownUs);
    const app_cpu_us = Math.round((user + system) / jobs);
    const database_cpu_us = Math.round(((cpuTimeMs(postgres.pid) - databaseMs) * 1000) / jobs);
    await pool.query("DELETE FROM pgboss.job");
    await pool.query("VACUUM pgboss.job");
    await pool.query("VACUUM outbox");
    await pool.query("CHECKPOINT");
    return { per_s: Math.round(perSecond), app_cpu_us, database_cpu_us };
  };
  await drain(5_000);
  const rounds: Record<string, number>[] = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push(await drain(JOBS));
  const value = median(rounds.map((round) => round.per_s ?? Number.NaN));
  return {
    P4: {
      value,
      unit: "no-op jobs/s drained by one process, relay included",
      goal: `≥ ${GOAL_PER_S}`,
      met: value >= GOAL_PER_S,
      rounds,
    },
  };
}

/** Two kinds, so that two runners have something to do, as in life. */
const NAMES = ["send-mail", "create-referral"];
