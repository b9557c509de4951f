import { concurrencyOf, JOB_NAMES } from "../jobs/definitions.ts";
import type { JobName } from "../modules/reports/jobs.ts";
import type { Logger } from "../platform/logger.ts";
import { rest } from "../platform/rest.ts";
import { LOOK_EVERY_MS, watchDueJobs } from "./due-jobs.ts";
import { type Engine, prepared } from "./engine.ts";
import { listenForJobs } from "./job-notifier.ts";
import { type JobRunner, startJobRunner, type Task } from "./job-runner.ts";
import { LOOK_FOR_OVERDUE_MS, superviseQueues } from "./supervision.ts";
import type { Vitals } from "./vitals.ts";

/** How long a runner may be silent that nobody wakes. */
const REST_MS = 10_000;

export type Tasks = Record<JobName, Task>;

export interface Workers {
  /**
   * Takes no more work and lets what runs end within `graceMs`; then `onImpatient` is told, which should make
   * long calls give up, and what still runs after `abortMs` more is left to other processes.
   */
  stop(patience: { graceMs: number; abortMs: number; onImpatient: () => void }): Promise<void>;
}

export interface WorkersOptions {
  engine: Engine;
  databaseUrl: string;
  tasks: Tasks;
  /** Create calls that one connection may have under way in this process. */
  creates: number;
  vitals: Pick<Vitals, "loop" | "watch">;
  logger: Logger;
}

/** Starts a runner for every kind of work. */
export async function startWorkers(options: WorkersOptions): Promise<Workers> {
  const { engine, tasks, creates, logger, databaseUrl, vitals } = options;
  const db = prepared(engine.pool);
  const runners = new Map<string, JobRunner>(
    JOB_NAMES.map((name) => {
      const concurrency = concurrencyOf(name, creates);
      return [
        name,
        startJobRunner({
          ...{ name, boss: engine.boss, db, concurrency, task: tasks[name], logger },
          loop: vitals.loop(name, REST_MS),
          restMs: REST_MS,
        }),
      ];
    }),
  );
  const due = watchDueJobs({
    ...{ db, names: JOB_NAMES, loop: vitals.loop("due-jobs", LOOK_EVERY_MS) },
    onDue: (name) => runners.get(name)?.wake(),
  });
  const supervision = superviseQueues({
    ...{ boss: engine.boss, db, names: JOB_NAMES },
    loop: vitals.loop("supervision", LOOK_FOR_OVERDUE_MS),
  });
  const notifier = listenForJobs({
    databaseUrl,
    logger,
    onJobs: (name) => runners.get(name)?.wake(),
    onGap: due.lookNow,
  });
  vitals.watch(() => (notifier.isListening() ? null : "notifications_lost"));
  return {
    async stop({ graceMs, abortMs, onImpatient }) {
      const all = [...runners.values()];
      due.stop();
      supervision.stop();
      await notifier.stop();
      const impatience = new AbortController();
      const { signal } = impatience;
      const deadline = rest(graceMs, signal).then((isOver) => {
        if (!isOver) return false;
        onImpatient();
        return rest(abortMs, signal);
      });
      await Promise.all(all.map((runner) => runner.drain(deadline)));
      impatience.abort();
      await Promise.all(all.map((runner) => runner.close()));
    },
  };
}
