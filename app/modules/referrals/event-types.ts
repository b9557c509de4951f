/** The events that the service tells of (interface §6). */
export const SERVICE_EVENT_TYPES = [
  "referral.created",
  "referral.issued",
  "referral.pending_verification",
  "referral.billing_failed",
  "referral.scheduled_reissue",
  "referral.partial_results",
  "referral.complete",
  "result.created",
  "result.updated",
  "result.partial_results",
  "result.complete",
  "result.in_review",
] as const;
