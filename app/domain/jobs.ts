import type { Environment } from "./connections/connection.ts";
import type { OrderId, ShopDomain } from "./ids.ts";
import type { NotificationKind } from "./notifications/notification.ts";

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
  "advance-rehearsal",
  "send-mail",
] as const satisfies readonly JobName[];

export interface JobQueue {
  /** Becomes visible to workers when the surrounding transaction commits, and only then. */
  enqueue(job: Job, options?: { startAfter?: Date }): Promise<void>;
}
