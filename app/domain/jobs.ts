import type { OrderId, ProductId, ShopDomain } from "../modules/kernel/ids.ts";
import type { DueNotification } from "../modules/kernel/notification.ts";
import type { Milestone } from "../modules/orders/store-marks.ts";
import type { Holder } from "../modules/patients/holder.ts";
import type { Environment } from "../modules/shops/connection.ts";

/** Work to be done later. Payloads hold ids only: the engine's tables are no place for personal data. */
export type Job =
  | { name: "handle-webhook"; shop: ShopDomain; inboxId: string }
  | { name: "handle-service-event"; shop: ShopDomain; inboxId: string }
  | { name: "reconcile-order"; shop: ShopDomain; orderId: OrderId }
  | { name: "create-referral"; shop: ShopDomain; requestId: string }
  | { name: "resolve-ambiguous"; shop: ShopDomain; requestId: string }
  | { name: "withdraw-referrals"; shop: ShopDomain; requestId: string }
  | { name: "correct-referrals"; shop: ShopDomain; requestId: string }
  | { name: "reorder-billing-failed"; shop: ShopDomain; bulkId: string }
  | { name: "refetch-referral"; shop: ShopDomain; environment: Environment; uuid: string }
  | { name: "refetch-result"; shop: ShopDomain; environment: Environment; uuid: string }
  | { name: "escalate-hold"; shop: ShopDomain; uuid: string }
  | { name: "tail-connection"; shop: ShopDomain; environment: Environment }
  | { name: "run-bulk"; shop: ShopDomain; runId: string }
  /** Queued by the database when a milestone is reached (prisma/migrations, pathway_tell_store). */
  | {
      name: "tell-store";
      shop: ShopDomain;
      orderId: OrderId;
      requestId: string | null;
      milestone: Milestone;
    }
  | { name: "read-store"; shop: ShopDomain }
  | { name: "reread-product"; shop: ShopDomain; productId: ProductId }
  | { name: "publish-product"; shop: ShopDomain; productId: ProductId }
  | { name: "run-mappings"; shop: ShopDomain; runId: string }
  | { name: "advance-rehearsal"; shop: ShopDomain; rehearsalId: string }
  | { name: "catch-up-page"; shop: ShopDomain; catchUpId: string }
  | { name: "do-privacy-duty"; shop: ShopDomain; inboxId: string }
  | { name: "tend-shop"; shop: ShopDomain }
  | ({ name: "send-mail"; shop: ShopDomain } & DueNotification)
  | ({ name: "remind-details"; shop: ShopDomain } & ReminderStep);

/** One reminder of a chain that began when somebody was first asked for details. */
export interface ReminderStep {
  requestId: string;
  /** Who is reminded: a chain ends when the unit is no longer theirs. */
  holder: Holder;
  /** When the chain began, in milliseconds since 1970. */
  since: number;
  /** 0 for the first. */
  step: number;
}

export type JobName = Job["name"];

export const JOB_NAMES = [
  "handle-webhook",
  "handle-service-event",
  "reconcile-order",
  "create-referral",
  "resolve-ambiguous",
  "withdraw-referrals",
  "correct-referrals",
  "reorder-billing-failed",
  "refetch-referral",
  "refetch-result",
  "escalate-hold",
  "tail-connection",
  "run-bulk",
  "tell-store",
  "read-store",
  "reread-product",
  "publish-product",
  "run-mappings",
  "advance-rehearsal",
  "catch-up-page",
  "do-privacy-duty",
  "tend-shop",
  "send-mail",
  "remind-details",
] as const satisfies readonly JobName[];

export interface JobQueue {
  /**
   * Becomes visible to workers when the surrounding transaction commits, and only then. `startAfter` is for work
   * that is due later, beside the same work that may be due now. `notBefore` is a short pause: the job keeps its
   * key, so that more of the same collapses into it meanwhile.
   */
  enqueue(job: Job, options?: { startAfter?: Date; notBefore?: Date }): Promise<void>;
}

/** Which turn of a job this is: a failed one is done again after a wait that grows. */
export interface Turn {
  retries: number;
}
