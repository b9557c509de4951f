import type { Core } from "../core.ts";
import type { Referral } from "./referral.ts";
import { hasForm } from "./referral-view.ts";

function stillComing(referral: Referral): boolean {
  return (
    referral.deletedAtMs === null &&
    (referral.status === "CREATED" ||
      referral.status === "PENDING_VERIFICATION" ||
      referral.status === "SCHEDULED_REISSUE")
  );
}

/**
 * Sends the referral email once every referral of the same order has its form: one email with
 * all PDFs (interface §4.2 rule 7). Sets emailSentAt on all of them and returns the given referral
 * as it then is. Does nothing when no email was wanted or it has gone out already.
 */
export function sendReferralMail(core: Core, referral: Referral): Referral {
  if (referral.emailGroup === null) return referral;
  const { stores, clock } = core;
  const group = stores.referrals.inEmailGroup(referral.emailGroup);
  if (group.some(stillComing)) return referral;
  const attached = group.filter((member) => hasForm(member) && member.emailSentAtMs === null);
  const recipient = attached[0]?.document.person.email;
  if (recipient === undefined) return referral;
  const sentAtMs = clock.nowMs();
  stores.mails.add({
    organisationId: referral.organisationId,
    recipient,
    referralUuids: attached.map((member) => member.uuid),
    sentAtMs,
  });
  for (const member of attached) stores.referrals.save({ ...member, emailSentAtMs: sentAtMs });
  return attached.some((member) => member.uuid === referral.uuid)
    ? { ...referral, emailSentAtMs: sentAtMs }
    : referral;
}
