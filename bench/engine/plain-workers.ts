import { PgBoss } from "pg-boss";
import { concurrencyOf, JOB_NAMES } from "../../app/jobs/definitions.ts";
import { createLogger } from "../../app/platform/logger.ts";
import type { Tasks } from "../../app/queue/workers.ts";

/**
 * The same tasks run by the workers that pg-boss comes with, as well set as they can be: one job each, woken by
 * notifications, with the same slots (docs/decisions/0013 has what they reach). `BENCH_RUNNER=pg-boss` chooses them.
 */
export async function startPlainWorkers(databaseUrl: string, tasks: Tasks): Promise<PgBoss> {
  const logger = createLogger("warn");
  const boss = new PgBoss({
    connectionString: databaseUrl,
    max: 16,
    useListenNotify: true,
    monitorIntervalSeconds: 1,
    superviseIntervalSeconds: 1,
    queueCacheIntervalSeconds: 1,
  });
  boss.on("error", (error) => logger.error({ err: error }, "pg-boss"));
  await boss.start();
  for (const name of JOB_NAMES) {
    await boss.updateQueue(name, { notify: true });
    const { slots, slotsForOneShop } = concurrencyOf(name, 100);
    const pace = { localConcurrency: slots, localGroupConcurrency: slotsForOneShop };
    const waits = { pollingIntervalSeconds: 0.5, notifyPollingIntervalSeconds: 30 };
    const options = { ...pace, ...waits, batchSize: 1, burstWhenReadyExceeds: 1 };
    await boss.work(name, options, async ([job]) => {
      await tasks[name](job?.data, { retries: 0 });
    });
  }
  return boss;
}
