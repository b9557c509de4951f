import { setTimeout as delay } from "node:timers/promises";
import type { PgBoss } from "pg-boss";
import { loopFailures } from "../platform/counters.ts";
import { errorCode } from "../platform/error-code.ts";
import type { Logger } from "../platform/logger.ts";
import type { Claimed } from "./claim-jobs.ts";

/** How a job ended. */
export type Settlement = { kind: "completed" } | { kind: "failed" | "given_up"; code: string };

/** After a statement that failed: the database may be away. */
export const RECOVERY_MS = 500;

/** Writes down how jobs ended, many at a time while one statement is under way. */
export function createSettling({
  name,
  boss,
  logger,
}: {
  name: string;
  boss: PgBoss;
  logger: Logger;
}) {
  let waiting: { job: Claimed; settlement: Settlement }[] = [];
  let working: Promise<void> | null = null;

  async function settleAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        await settle(name, boss, batch);
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
  name: string,
  boss: PgBoss,
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
    else if (end?.kind === "given_up")
      await boss.cancel(
        name,
        jobs.map((job) => job.id),
      );
    else await boss.complete(name, jobs);
  }
}
