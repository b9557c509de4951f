import type { Environment } from "./connections/connection.ts";
import type { OrderId, ShopDomain } from "./ids.ts";
import type { NotificationKind } from "./notifications/notification.ts";
import type { Milestone } from "./store-marks/store-marks.ts";

/** Work to be done later. Payloads hold ids only: the engine's tables are no place for personal data. */
export type Job =
  | { name: "handle-webhook"; shop: ShopDomain; inboxId: string }
  | { name: "handle-service-event"; shop: ShopDomain; inboxId: string }
  | { name: "reconcile-order"; shop: ShopDomain; orderId: OrderId }
  | { name: "create-referral"; shop: ShopDomain; requestId: string }
  | { name: "resolve-ambiguous"; shop: ShopDomain; requestId: string }
  | { name: "refetch-referral"; shop: ShopDomain; environment: Environment; uuid: string }
  | { name: "refetch-result"; shop: ShopDomain; environment: Environment; uuid: string }
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
  | { name: "advance-rehearsal"; shop: ShopDomain; rehearsalId: string }
  | { name: "send-mail"; shop: ShopDomain; requestId: string; kind: NotificationKind };

export type JobName = Job["name"];

export const JOB_NAMES = [
  "handle-webhook",
  "handle-service-event",
  "reconcile-order",
  "create-referral",
  "resolve-ambiguous",
  "refetch-referral",
  "refetch-result",
  "tail-connection",
  "run-bulk",
  "tell-store",
  "advance-rehearsal",
  "send-mail",
] as const satisfies readonly JobName[];

export interface JobQueue {
  /** Becomes visible to workers when the surrounding transaction commits, and only then. */
  enqueue(job: Job, options?: { startAfter?: Date }): Promise<void>;
}
