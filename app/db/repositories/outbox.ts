import type { Job, JobQueue } from "../../domain/jobs.ts";
import type { Scope } from "./scope.ts";

/** Writes jobs beside the facts that call for them; the relay hands them to the engine after the commit. */
export function outbox({ tx, shop }: Scope, onJob: () => void): JobQueue {
  return {
    async enqueue(job, { startAfter, notBefore } = {}) {
      const { name, ...payload } = job;
      const key = singletonKey(job);
      // One that waits for its time must not swallow one that is due.
      const due = startAfter
        ? { startAfter, singletonKey: `${key}@${startAfter.getTime()}` }
        : { singletonKey: key, ...(notBefore ? { startAfter: notBefore } : {}) };
      await tx.outboxJob.create({ data: { shop, name, payload, ...due } });
      onJob();
    },
  };
}

/** Jobs with one key do the same work, so one of them waiting is enough. */
export function singletonKey({ name: _, ...payload }: Job): string {
  return Object.values(payload).join(" ");
}
