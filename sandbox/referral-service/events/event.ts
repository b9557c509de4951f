import type { ReferralStatus } from "../referrals/referral.ts";

/** The events of interface §6, and those for changes that §6 leaves without one. */
export const eventTypes = [
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
  "referral.updated",
  "referral.insufficient_data",
  "referral.refunded",
  "referral.failed_test",
  "referral.transferred",
] as const;

export type EventType = (typeof eventTypes)[number];

/** A change of a resource; it names no patient. */
export interface ServiceEvent {
  /** Unique, the same for every attempt and duplicate (interface §6). */
  id: string;
  type: EventType;
  referralUuid: string;
  resultUuid: string | null;
  createdAtMs: number;
}

/** The event that announces a status. */
export const eventOfStatus: Record<ReferralStatus, EventType> = {
  PENDING_VERIFICATION: "referral.pending_verification",
  CREATED: "referral.created",
  ISSUED: "referral.issued",
  SCHEDULED_REISSUE: "referral.scheduled_reissue",
  PARTIAL_RESULTS: "referral.partial_results",
  COMPLETE: "referral.complete",
  INSUFFICIENT_DATA: "referral.insufficient_data",
  REFUNDED: "referral.refunded",
  FAILED_TEST: "referral.failed_test",
  BILLING_FAILED: "referral.billing_failed",
  TRANSFERRED: "referral.transferred",
};
