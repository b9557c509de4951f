/** Why a person has to look at a request, each without a detail. */
const PLAIN_CODES = [
  // Before the request is sent
  "details_overdue",
  "under_age",
  "held",
  "high_risk",
  "risk_pending",
  // Unclear attempts (ledger rule 5)
  "ambiguous",
  "half_created",
  // The same, and the date of birth given since is under the minimum age
  "under_age_unclear",
  "duplicate_referral",
  // A refused request whose refusal was handled
  "rejected",
  // Cancelled units
  "refunded_after_sending",
  "refunded_after_results",
  "withdrawal_too_late",
  "withdrawal_refused",
  "deleted_at_service",
  "deleted_with_results",
  "bought_again",
  "consent_withdrawn",
  // Corrections
  "correction_refused",
  // Answers and results
  "unreadable_at_service",
  "document_missing",
  "other_tests",
  "results_held",
  "result_deleted",
  "referral_other_person",
  "result_other_person",
  "urgent_result_held",
  "urgent_result_shown",
  // Mails
  "mail_refused",
] as const;
export type PlainCode = (typeof PLAIN_CODES)[number];

/**
 * Codes whose detail is the service's code (interface §7.3), a code of the connection, a referral's status, or the
 * host that a PDF would have to come from.
 */
const DETAILED_CODES = [
  "rejected",
  "half_rejected",
  "not_sent",
  "unresolved",
  "referral",
  "document_refused",
] as const;
/** The detail where a unit was ordered again, and what it had before can be used again at the service. */
export const FORMER_ALIVE = "former_alive";
/** The detail where nobody can tell whether it can be used, until somebody changes something. */
export const FORMER_UNREAD = "former_unread";
export type DetailedCode = (typeof DETAILED_CODES)[number];

/** Every code, once. */
export const REVIEW_CODES: readonly (PlainCode | DetailedCode)[] = [
  ...new Set([...PLAIN_CODES, ...DETAILED_CODES]),
];

/** Why a person has to look at a request. */
export type ReviewReason =
  | { code: PlainCode; detail: null }
  | { code: DetailedCode; detail: string };

/**
 * Why somebody has to see to a result, or to whose it will be, before anything else: somebody's health is in the wrong place, or cannot wait. It stands
 * beside the reason that the rest of the request gives, so that neither hides or ends the other.
 */
export const RESULT_REASONS = [
  "referral_other_person",
  "result_other_person",
  "urgent_result_held",
  "urgent_result_shown",
] as const satisfies readonly PlainCode[];
export type ResultReason = (typeof RESULT_REASONS)[number];

/** Whether a code is one of `RESULT_REASONS`. */
export const isResultReason = (code: string | null): code is ResultReason =>
  RESULT_REASONS.some((one) => one === code);

/** A reason whose code says all of it. */
export const plainReason = (code: PlainCode): ReviewReason => ({ code, detail: null });

/** Whether code and detail are the same, or there is no reason on either side. */
export const isSameReason = (one: ReviewReason | null, other: ReviewReason | null): boolean =>
  one?.code === other?.code && one?.detail === other?.detail;

/** One word for a reason, in addresses, in forms and in the timeline: `ambiguous`, `rejected:INVALID_PAYLOAD`. */
export const reasonKey = ({ code, detail }: { code: string; detail: string | null }): string =>
  detail === null ? code : `${code}:${detail}`;

/** The reason of a key; a code that this version does not know stands as it is. */
export function parseReasonKey(key: string): ReviewReason {
  const [code = "", ...detail] = key.split(":");
  return { code, detail: detail.length > 0 ? detail.join(":") : null } as ReviewReason;
}
