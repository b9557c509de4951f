import { queueUnsentMails } from "../kernel/queue-mail.ts";
import type { Actor } from "../kernel/timeline.ts";
import { apply } from "./apply.ts";
import { REFERRAL_OTHER_PERSON } from "./other-person.ts";
import { reachMilestone } from "./reach-milestone.ts";
import type { ReferralRequest } from "./request.ts";
import { recordResultReasons } from "./results/record-result-reasons.ts";
import { readResultsAgain } from "./results/withhold-results.ts";
import { isResultReason, type ReviewReason } from "./review-reason.ts";
import { isFormMade } from "./status.ts";
import type { Tenant } from "./tenant.ts";

/**
 * Records that a person has dealt with why a request needs one. Behind a critical result that was shown, another may be held: that
 * is told now.
 */
export async function dealWithReason(
  tenant: Tenant,
  requestId: string,
  reason: ReviewReason,
  by: { actor: Actor; at: Date },
): Promise<void> {
  const applied = await apply(tenant, requestId, { kind: "handled", reason }, by);
  if (applied && reason.code === REFERRAL_OTHER_PERSON) await releaseForms(tenant, applied.request);
  if (applied && isResultReason(reason.code))
    await recordResultReasons(tenant, applied.request, { isShownNow: false, now: by.at });
}

/** It is the same person under another name: the form is its patient's, and what comes with it is read again. */
async function releaseForms(tenant: Tenant, request: ReferralRequest): Promise<void> {
  const { id: requestId, environment, orderId } = request;
  const uuids = await tenant.referrals.confirmPerson(requestId);
  for (const uuid of uuids)
    await tenant.jobs.enqueue({ name: "refetch-referral", shop: tenant.shop, environment, uuid });
  await readResultsAgain(tenant, request, uuids);
  const referrals = await tenant.referrals.forRequests([requestId]);
  if (referrals.some((one) => uuids.includes(one.uuid) && isFormMade(one)))
    await reachMilestone(tenant, { orderId, requestId, milestone: "referral_issued" });
  await queueUnsentMails(tenant, [requestId]);
}
