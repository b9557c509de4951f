import type { ReferralStatus } from "../referrals/referral.ts";
import { type Html, html } from "./html.ts";

const tones: Record<ReferralStatus, string> = {
  PENDING_VERIFICATION: "warn",
  CREATED: "",
  ISSUED: "",
  SCHEDULED_REISSUE: "",
  PARTIAL_RESULTS: "good",
  COMPLETE: "good",
  INSUFFICIENT_DATA: "bad",
  REFUNDED: "warn",
  FAILED_TEST: "bad",
  BILLING_FAILED: "bad",
  TRANSFERRED: "warn",
};

/** A referral's status with a colour; the word alone says it all. */
export function statusBadge(status: ReferralStatus): Html {
  return html`<span class="badge ${tones[status]}">${status}</span>`;
}
