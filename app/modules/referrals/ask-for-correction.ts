import type { ShopDomain } from "../kernel/ids.ts";
import { queueMail } from "../kernel/queue-mail.ts";
import type { Actor } from "../kernel/timeline.ts";
import { isConfirmed } from "./cancellation.ts";
import { mayCorrect } from "./correct-patient-details.ts";
import type { Ports } from "./ports.ts";
import type { StoredReferral } from "./referral-repository.ts";
import { isUnsent, type ReferralRequest } from "./request.ts";
import type { Tenant } from "./tenant.ts";

export type AskForCorrectionOutcome =
  | { kind: "queued" }
  /** A mail of today asks already. */
  | { kind: "asked_today" }
  | { kind: "nobody_to_ask" }
  /** The details can't be corrected any more, or there are none. */
  | { kind: "too_late" };

/** Whether whoever gave the details can still correct them, before or after the referral was ordered. */
export function mayAskForCorrection(request: ReferralRequest, referrals: StoredReferral[]) {
  if (!request.hasPatient || isConfirmed(request.cancellation) || request.replacedBy) return false;
  return isUnsent(request) ? request.state !== "awaiting_details" : mayCorrect(request, referrals);
}

/**
 * Asks a unit's owner to look at the details and correct them: staff know that they are wrong, never what
 * they say. At most one mail a day, so that two clicks, or two members of staff, are no nuisance.
 */
export async function askForCorrection(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  { shop, requestId, actor }: { shop: ShopDomain; requestId: string; actor: Actor },
): Promise<AskForCorrectionOutcome> {
  return tenancy.inShop(shop, async (tenant) => {
    const request = await tenant.requests.find(requestId);
    if (!request) return { kind: "too_late" };
    const referrals = await tenant.referrals.forRequests([requestId]);
    if (!mayAskForCorrection(request, referrals)) return { kind: "too_late" };
    if (!(await canReach(tenant, request))) return { kind: "nobody_to_ask" };
    const at = clock.now();
    const occurrence = at.toISOString().slice(0, 10);
    const due = { requestId, kind: "correction_needed", occurrence } as const;
    if (!(await queueMail(tenant, due, { now: at }))) return { kind: "asked_today" };
    const { orderId } = request;
    await tenant.timeline.add({ kind: "correction_asked", actor, at, orderId, requestId });
    await tenant.accessLog.add({ at, who: "staff", actor, what: "mail_sent_again", requestId });
    return { kind: "queued" };
  });
}

async function canReach(tenant: Tenant, { id, owner, orderId }: ReferralRequest) {
  if (owner === "patient") return (await tenant.requests.invitedEmailOf(id)) !== null;
  return Boolean((await tenant.orders.buyerOf(orderId))?.email);
}
