import type { Core } from "../core.ts";
import { moveReferral } from "./change-referral.ts";
import type { Referral } from "./referral.ts";
import { sendReferralMail } from "./send-referral-mail.ts";

/**
 * Gives a referral its next form and moves it to ISSUED (interface §3). Billing comes first: when
 * the organisation cannot be charged, a commercial referral ends as BILLING_FAILED instead.
 * Medicare referrals are not billed to the organisation (§4.2 rule 8).
 */
export function issueReferral(core: Core, referral: Referral): Referral {
  return core.stores.database.transaction(() => {
    const organisation = core.stores.organisations.find(referral.organisationId);
    const isFirstForm = referral.issueNumber === 0;
    const mustPay = isFirstForm && referral.document.medicare === null;
    if (mustPay && organisation?.billing !== "valid") {
      const failed = moveReferral(core, referral, "BILLING_FAILED");
      sendReferralMail(core, failed);
      return failed;
    }
    const issued = { ...referral, issueNumber: referral.issueNumber + 1 };
    return sendReferralMail(core, moveReferral(core, issued, "ISSUED"));
  });
}
