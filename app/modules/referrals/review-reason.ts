/** Why a person has to look at a request. */
export type PlainReason =
  // Before it is sent
  | "details_overdue"
  // Unclear attempts (ledger rule 5)
  | "ambiguous"
  | "half_created"
  | "duplicate_referral"
  // Given up
  | "refunded_after_sending"
  | "refunded_after_results"
  | "withdrawal_too_late"
  | "withdrawal_refused"
  | "deleted_at_service"
  | "deleted_with_results"
  // Corrections
  | "correction_refused"
  // Answers and results
  | "unreadable_at_service"
  | "result_deleted"
  | "result_other_person"
  | "urgent_result_held"
  | "urgent_result_shown";

/** Reasons whose words depend on what follows the colon: the service's code, or a referral's status. */
export const DETAILED_REASONS = [
  "rejected",
  "half_rejected",
  "not_sent",
  "unresolved",
  "referral",
] as const;
export type DetailedReason = (typeof DETAILED_REASONS)[number];

export type ReviewReason = PlainReason | `${DetailedReason}:${string}`;
