import type { OrderId } from "../kernel/ids.ts";

/** The events that a merchant may want to see in Shopify. No milestone says anything about anybody's health. */
export const MILESTONES = ["referral_issued", "results_ready", "attention_needed"] as const;
export type Milestone = (typeof MILESTONES)[number];

/** The ways in which the store is told: each of them may be refused alone. */
export const TOLD_WAYS = ["tag", "fulfilment", "flow"] as const;
export type ToldWay = (typeof TOLD_WAYS)[number];

/** Something of one order that was reached: by one of its requests, or by the order itself. */
export interface Reached {
  orderId: OrderId;
  requestId: string | null;
  milestone: Milestone;
}
