import type { OrderReason } from "../orders/order-reason.ts";
import type { ReviewReason } from "../referrals/review-reason.ts";

/** A few words for each kind of reason, for the inbox's tabs; attention-words.ts has the sentences. */
const NAMES: Record<OrderReason | ReviewReason["code"], string> = {
  unmapped_line: "Not mapped",
  no_contact: "No contact",
  customer_changed: "Customer changed",
  order_not_visible: "Order not visible",
  paid_not_visible: "Paid, not visible",
  paid_in_part: "Paid in part",
  backdated: "Placed long ago",
  other_name: "Ordered under another name",
  not_a_test_then: "Not a test when sold",
  money_back: "Money given back",
  parts_of_bundle: "Parts of a bundle",
  details_overdue: "Details overdue",
  under_age: "Under age",
  held: "Held for review",
  high_risk: "High risk",
  risk_pending: "Risk being checked",
  ambiguous: "Unclear answer",
  half_created: "Half created",
  under_age_unclear: "Under age, unclear answer",
  duplicate_referral: "Duplicate referral",
  rejected: "Rejected by the service",
  half_rejected: "Half refused",
  refunded_after_sending: "Refunded after sending",
  refunded_after_results: "Refunded after results",
  withdrawal_too_late: "Too late to delete",
  withdrawal_refused: "Deletion refused",
  deleted_at_service: "Deleted at the service",
  deleted_with_results: "Deleted with results",
  bought_again: "Bought again",
  consent_withdrawn: "Consent withdrawn",
  correction_refused: "Correction refused",
  unreadable_at_service: "Not readable",
  document_missing: "PDF missing",
  document_refused: "PDF refused",
  results_held: "Results held",
  result_deleted: "Result taken back",
  referral_other_person: "Another person’s form",
  result_other_person: "Another person’s result",
  urgent_result_held: "Urgent result held",
  urgent_result_shown: "Urgent result shown",
  mail_refused: "Email refused",
  not_sent: "Not sent",
  unresolved: "Not found out",
  referral: "Failed at the service",
};

/** Names a kind of reason; another version may have written one that is not known here. */
export const nameOfReason = (code: string): string =>
  Object.hasOwn(NAMES, code) ? NAMES[code as keyof typeof NAMES] : "Something else";
