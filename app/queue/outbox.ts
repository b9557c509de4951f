import { keyOf } from "../jobs/definitions.ts";
import type { JobQueue } from "../modules/kernel/jobs.ts";
import type { Job } from "../modules/reports/jobs.ts";
import type { Scope } from "../platform/database/scope.ts";

/** Writes jobs beside the facts that call for them; the relay hands them to the engine after the commit. */
export function outbox({ tx, shop }: Scope, onJob: () => void): JobQueue<Job> {
  return {
    async enqueue(job, { startAfter, notBefore } = {}) {
      const { name, ...payload } = job;
      const key = keyOf(job);
      // A job that waits for its time must not swallow one that is due.
      const due = startAfter
        ? { startAfter, singletonKey: `${key}@${startAfter.getTime()}` }
        : { singletonKey: key, ...(notBefore ? { startAfter: notBefore } : {}) };
      await tx.outboxJob.create({ data: { shop, name, payload, ...due } });
      onJob();
    },
  };
}
