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
] as const;
/** Why a person has to look at an order, beside what its requests say (app/modules/referrals/review-reason.ts). */
export type OrderReason = (typeof ORDER_REASONS)[number];
