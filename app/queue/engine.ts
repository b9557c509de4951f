import { PgBoss } from "pg-boss";
import { JOB_NAMES, type JobName } from "../domain/jobs.ts";
import type { Logger } from "../lib/logger.ts";

/**
 * A job whose worker died is taken over when its heartbeat has been missing for this long; with pg-boss's
 * own monitoring pass the takeover is complete within 15 s (measured by `npm run bench engine`).
 */
const HEARTBEAT_SECONDS = 10;
const MONITOR_SECONDS = 3;

const QUEUE = {
  // Jobs with one key collapse while they wait; one that runs does not swallow the next.
  policy: "stately",
  notify: true,
  heartbeatSeconds: HEARTBEAT_SECONDS,
  // A service may be away for a day; nothing is given up meanwhile. 5 s, 10 s, … 5 min, about two days.
  retryLimit: 600,
  retryDelay: 5,
  retryBackoff: true,
  retryDelayMax: 300,
  // Longer than the longest create call.
  expireInSeconds: 300,
  deleteAfterSeconds: 3600,
} as const;

/** Starts pg-boss on our database: its schema is made or upgraded, and every queue exists afterwards. */
export async function startEngine(options: {
  databaseUrl: string;
  logger: Logger;
  poolSize: number;
}): Promise<PgBoss> {
  const engine = new PgBoss({
    connectionString: options.databaseUrl,
    application_name: "pathway-jobs",
    max: options.poolSize,
    useListenNotify: true,
    monitorIntervalSeconds: MONITOR_SECONDS,
    superviseIntervalSeconds: MONITOR_SECONDS,
  });
  engine.on("error", (error) => options.logger.error({ err: error }, "job engine"));
  await engine.start();
  for (const name of JOB_NAMES) await ensureQueue(engine, name);
  return engine;
}

async function ensureQueue(engine: PgBoss, name: JobName): Promise<void> {
  const existing = await engine.getQueue(name);
  if (!existing) await engine.createQueue(name, QUEUE);
}
