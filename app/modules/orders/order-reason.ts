import type { ToldWay } from "../referrals/milestone.ts";

export const ORDER_REASONS = [
  "unmapped_line",
  "no_contact",
  "customer_changed",
  "order_not_visible",
  "paid_not_visible",
  "paid_in_part",
  "backdated",
  "other_name",
  "not_a_test_then",
  "money_back",
  "parts_of_bundle",
  "not_fulfilled",
  "not_tagged",
  "flow_not_started",
] as const;
/** Why a person has to look at an order, beside what its requests say (app/modules/referrals/review-reason.ts). */
export type OrderReason = (typeof ORDER_REASONS)[number];

/** Reasons that a refusal of the store gives. A reading of the order neither finds nor ends them. */
export const NOT_TOLD = {
  fulfilment: "not_fulfilled",
  tag: "not_tagged",
  flow: "flow_not_started",
} as const satisfies Record<ToldWay, OrderReason>;

/** Whether a reason stands until the store was told, whatever a reading of the order finds. */
export const isNotTold = (reason: OrderReason): boolean =>
  Object.values<OrderReason>(NOT_TOLD).includes(reason);
