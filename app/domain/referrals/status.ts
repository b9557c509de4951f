import { REFERRAL_STATUSES, type ReferralSnapshot, type ReferralStatus } from "./snapshots.ts";

/** Statuses after which somebody has to do something (interface §3). */
const NEEDS_A_PERSON: ReadonlySet<string> = new Set<ReferralStatus>([
  "INSUFFICIENT_DATA",
  "FAILED_TEST",
  "BILLING_FAILED",
  "TRANSFERRED",
  "REFUNDED",
  "PENDING_VERIFICATION",
]);

/** Statuses after which the service is not expected to say more. */
export const FINISHED_STATUSES = ["COMPLETE", "REFUNDED", "TRANSFERRED", "BILLING_FAILED"] as const;

/** The message-catalogue key for a referral that needs a person, or null. */
export function attentionFor({ status, deletedAt }: ReferralSnapshot): string | null {
  if (deletedAt) return null;
  if (NEEDS_A_PERSON.has(status)) return `referral:${status}`;
  return isKnownStatus(status) ? null : "referral:unknown_status";
}

export function isKnownStatus(status: string): status is ReferralStatus {
  return (REFERRAL_STATUSES as readonly string[]).includes(status);
}
