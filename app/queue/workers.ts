import type { Job as EngineJob, PgBoss } from "pg-boss";
import { JOB_NAMES, type JobName } from "../domain/jobs.ts";
import { crashPoint } from "../lib/crash-points.ts";
import { AppError } from "../lib/errors.ts";
import type { Logger } from "../lib/logger.ts";

/** One kind of work, ready to be done: reads its payload and calls its use case. Throws to be tried again. */
export type Task = (payload: unknown) => Promise<unknown>;
export type Tasks = Record<JobName, Task>;

/** How many of each run side by side in one process. Creating waits for the service for most of its time. */
const CONCURRENCY: Partial<Record<JobName, { batchSize: number; localConcurrency: number }>> = {
  "create-referral": { batchSize: 4, localConcurrency: 8 },
  "refetch-referral": { batchSize: 5, localConcurrency: 2 },
  "tail-connection": { batchSize: 2, localConcurrency: 1 },
};
const ORDINARY = { batchSize: 10, localConcurrency: 2 };

/** Starts workers for every kind of work. They stop with the engine. */
export async function startWorkers(options: {
  engine: PgBoss;
  tasks: Tasks;
  logger: Logger;
}): Promise<void> {
  const { engine, tasks, logger } = options;
  for (const name of JOB_NAMES) {
    const run = (jobs: EngineJob<object>[]) =>
      Promise.all(jobs.map((job) => settle(name, job, tasks[name], logger)));
    const pace = CONCURRENCY[name] ?? ORDINARY;
    await engine.work(
      name,
      {
        ...pace,
        perJobResults: true,
        burstWhenBatchFull: true,
        pollingIntervalSeconds: 1,
        // Jobs that wait for their time announce nothing when it comes.
        notifyPollingIntervalSeconds: 1,
      },
      run,
    );
  }
}

/** Runs one job of a batch; its failure is its own. */
async function settle(name: JobName, job: EngineJob<object>, task: Task, logger: Logger) {
  const startedAt = performance.now();
  const log = (outcome: object) =>
    logger.debug({
      job: name,
      id: job.id,
      ms: Math.round(performance.now() - startedAt),
      ...outcome,
    });
  try {
    crashPoint("job.before-start");
    await task(job.data);
    crashPoint("job.after-work");
    log({ outcome: "completed" });
    return { id: job.id, status: "completed" as const };
  } catch (error) {
    const code = error instanceof AppError ? error.code : "unexpected";
    const retryable = !(error instanceof AppError) || error.retryable;
    logger.warn({ job: name, id: job.id, code, retryable, err: error }, "job failed");
    // What is stored with the job is a code: a message may quote what somebody typed.
    return {
      id: job.id,
      status: retryable ? ("failed" as const) : ("deadletter" as const),
      output: { code },
    };
  }
}
