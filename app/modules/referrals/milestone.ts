import type { OrderId } from "../kernel/ids.ts";

/** The events that a merchant may want to see in Shopify. No milestone says anything about anybody's health. */
export const MILESTONES = ["referral_issued", "results_ready", "attention_needed"] as const;
export type Milestone = (typeof MILESTONES)[number];

/** Something of one order that was reached: by one of its requests, or by the order itself. */
export interface Reached {
  orderId: OrderId;
  requestId: string | null;
  milestone: Milestone;
}
