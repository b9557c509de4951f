import { setTimeout as delay } from "node:timers/promises";
import type { PgBoss } from "pg-boss";
import { loopFailures } from "../platform/counters.ts";
import { errorCode } from "../platform/error-code.ts";
import type { Logger } from "../platform/logger.ts";
import type { Claimed } from "./claim-jobs.ts";
import type { QueueDb } from "./engine.ts";

/** How a job ended. */
export type Settlement = { kind: "completed" } | { kind: "failed" | "given_up"; code: string };
export const JOB_OUTCOMES: readonly Settlement["kind"][] = ["completed", "failed", "given_up"];

/** After a statement that failed: the database may be away. */
export const RECOVERY_MS = 500;

interface SettlingOptions {
  name: string;
  boss: PgBoss;
  db: QueueDb;
  logger: Logger;
}

/** Writes down how jobs ended, many at a time while one statement is under way. */
export function createSettling(options: SettlingOptions) {
  const { name, logger } = options;
  let waiting: { job: Claimed; settlement: Settlement }[] = [];
  let working: Promise<void> | null = null;

  async function settleAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        await settle(options, batch);
      } catch (error) {
        loopFailures.add({ loop: `${name}.settle`, code: errorCode(error) });
        logger.warn({ err: error, job: name }, "ended jobs could not be written down");
        waiting.push(...batch);
        await delay(RECOVERY_MS);
      }
    }
    working = null;
  }

  return {
    add(job: Claimed, settlement: Settlement) {
      waiting.push({ job, settlement });
      working ??= Promise.resolve().then(settleAll);
    },
    idle: async () => {
      await working;
    },
  };
}

async function settle(
  { name, boss, db }: SettlingOptions,
  batch: { job: Claimed; settlement: Settlement }[],
): Promise<void> {
  // Every statement names the attempt that was claimed: whoever has taken a job over since keeps it.
  const byEnd = Map.groupBy(batch, ({ settlement }) =>
    settlement.kind === "completed" ? "completed" : `${settlement.kind} ${settlement.code}`,
  );
  for (const ended of byEnd.values()) {
    const jobs = ended.map(({ job }) => job);
    const end = ended[0]?.settlement;
    if (end?.kind === "failed") await boss.fail(name, jobs, { code: end.code });
    else if (end?.kind === "given_up") await boss.cancel(name, jobs);
    else await forget(db, name, jobs);
  }
}

/**
 * A job that is done leaves at once: its row says nothing that the timeline does not, and kept for an hour it was a third of
 * what an order left in the database (docs/decisions/0107). A single one is found by its key. Several are planned anew: statistics of a
 * queue that was empty let a prepared statement compare each of 4,000 ends with each of 4,000 jobs, which took four seconds.
 */
async function forget(db: QueueDb, name: string, jobs: Claimed[]): Promise<void> {
  const [job, ...others] = jobs;
  if (job && others.length === 0) await db.executeSql(FORGET_ONE, [name, job.id, job.retryCount]);
  else await db.planAnew(FORGET, [name, ids(jobs), jobs.map(({ retryCount }) => retryCount)]);
}

const FORGET_ONE = `
  DELETE FROM pgboss.job WHERE name = $1 AND id = $2 AND retry_count = $3 AND state = 'active'`;

const FORGET = `
  DELETE FROM pgboss.job j USING unnest($2::uuid[], $3::int[]) AS done (id, retry_count)
  WHERE j.name = $1 AND j.id = done.id AND j.retry_count = done.retry_count AND j.state = 'active'`;

const ids = (jobs: Claimed[]) => jobs.map((job) => job.id);
