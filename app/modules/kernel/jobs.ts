import type { ShopDomain } from "./ids.ts";
import type { DueNotification } from "./notification.ts";

/**
 * Work to be done later that this module or a lower one asks for. Payloads hold ids only: the engine's tables are no
 * place for personal data. What a job does is said in app/jobs/definitions.ts, under its name.
 */
export type Job =
  | ({ name: "send-mail"; shop: ShopDomain } & DueNotification & TriedMail)
  | ({ name: "send-alert"; shop: ShopDomain; alertId: string } & TriedMail)
  | { name: "work-batch"; shop: ShopDomain; batchId: string }
  /** Tells patients who wait for results; without an environment because the shop left. */
  | { name: "tell-waiting"; shop: ShopDomain; environment?: "staging" | "production" };

export interface TriedMail {
  /** When the server first had the mail and did not say whether it takes it, in milliseconds. */
  unclearSince?: number;
}

export interface JobQueue<AnyJob> {
  /**
   * Becomes visible to workers when the surrounding transaction commits, and only then. `startAfter` is for work
   * that is due later, beside the same work that may be due now. `notBefore` is a short pause: the job keeps its
   * key, so that more of the same collapses into it meanwhile.
   */
  enqueue(job: AnyJob, options?: { startAfter?: Date; notBefore?: Date }): Promise<void>;
  /** The trace of the request that work is for, for whoever was not asked by `enqueue`. Null where nothing is traced. */
  traceOf(subject: TraceSubject): Promise<string | null>;
}

/** A request, or a referral or result of one. */
export interface TraceSubject {
  shop: ShopDomain;
  requestId?: string | null;
  uuid?: string;
}

/** The number of a job's turn. A failed job runs again after a growing wait. */
export interface Turn {
  retries: number;
  /** Nobody tries again after it. */
  isLast?: boolean;
}
