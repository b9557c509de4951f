import type { Core } from "../core.ts";
import { arriveResults } from "../results/arrive.ts";
import { moveReferral } from "./change-referral.ts";
import type { Referral, ReferralStatus } from "./referral.ts";

/**
 * Puts a referral into any state, with its event, so that integrators can meet the states whose
 * transitions the interface does not show (§3 gaps). States that need results get results; ISSUED
 * gets a form. CREATED and SCHEDULED_REISSUE stay until somebody moves on.
 */
export function setStatus(core: Core, referral: Referral, status: ReferralStatus): Referral {
  if (status === "PARTIAL_RESULTS" || status === "COMPLETE") {
    return arriveResults(core, referral, { partial: status === "PARTIAL_RESULTS" }).referral;
  }
  return core.stores.database.transaction(() => {
    const issueNumber = status === "ISSUED" ? referral.issueNumber + 1 : referral.issueNumber;
    return moveReferral(core, { ...referral, issueNumber }, status);
  });
}
