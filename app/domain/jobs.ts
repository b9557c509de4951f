import type { Environment } from "./connections/connection.ts";
import type { OrderId, ShopDomain } from "./ids.ts";
import type { DueNotification } from "./notifications/notification.ts";
import type { Holder } from "./requests/request.ts";

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
  "refetch-referral",
  "refetch-result",
  "tail-connection",
  "advance-rehearsal",
  "send-mail",
  "remind-details",
] as const satisfies readonly JobName[];

export interface JobQueue {
  /** Becomes visible to workers when the surrounding transaction commits, and only then. */
  enqueue(job: Job, options?: { startAfter?: Date }): Promise<void>;
}
