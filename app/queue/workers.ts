import { JOB_NAMES, JOBS } from "../jobs/definitions.ts";
import type { JobName } from "../modules/reports/jobs.ts";
import type { Logger } from "../platform/logger.ts";
import { rest } from "../platform/rest.ts";
import { listenForJobs } from "./announcements.ts";
import { type Engine, prepared } from "./engine.ts";
import { type Lane, startLane, type Task } from "./lane.ts";
import type { Vitals } from "./vitals.ts";

export type Tasks = Record<JobName, Task>;

export interface Workers {
  /**
   * Takes no more work and lets what runs end within `graceMs`; then `onImpatient` is told, which should make
   * long calls give up, and what still runs after `parkMs` more is left to other processes.
   */
  stop(patience: { graceMs: number; parkMs: number; onImpatient: () => void }): Promise<void>;
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

/** Starts a lane for every kind of work. */
export async function startWorkers(options: WorkersOptions): Promise<Workers> {
  const { engine, tasks, creates, logger, databaseUrl, vitals } = options;
  const db = prepared(engine.pool);
  const lanes = new Map<string, Lane>(
    JOB_NAMES.map((name) => {
      const pace = JOBS[name].pace(creates);
      return [
        name,
        startLane({
          ...{ name, boss: engine.boss, db, pace, task: tasks[name], logger },
          loop: vitals.loop(name),
        }),
      ];
    }),
  );
  const announcements = listenForJobs({
    databaseUrl,
    logger,
    onJobs: (name) => lanes.get(name)?.wake(),
    onGap: () => {
      for (const lane of lanes.values()) lane.wake();
    },
  });
  vitals.watch(() => (announcements.isListening() ? null : "notifications_lost"));
  return {
    async stop({ graceMs, parkMs, onImpatient }) {
      const all = [...lanes.values()];
      await announcements.stop();
      const impatience = new AbortController();
      const { signal } = impatience;
      const deadline = rest(graceMs, signal).then((isOver) => {
        if (!isOver) return false;
        onImpatient();
        return rest(parkMs, signal);
      });
      await Promise.all(all.map((lane) => lane.drain(deadline)));
      impatience.abort();
      await Promise.all(all.map((lane) => lane.close()));
    },
  };
}
