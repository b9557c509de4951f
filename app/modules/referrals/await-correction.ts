import type { RequestFacts } from "./customer-view.ts";
import { isCurrent, type StoredReferral } from "./referral-repository.ts";
import type { Tenant } from "./tenant.ts";

type ReferralFacts = Pick<RequestFacts, "request" | "referrals">;

/**
 * Reads each referral that a saved correction has not reached as the service will read it then: its form is being remade. The
 * service may be away for hours, and nobody is to take the form with the wrong details to a collection centre meanwhile.
 */
export async function awaitCorrection<Known extends ReferralFacts>(
  tenant: Tenant,
  all: readonly Known[],
): Promise<Known[]> {
  const waits = await waitingIn(tenant, all);
  return all.map((facts) => {
    const referrals = facts.referrals.map((one) =>
      waits(one) ? { ...one, status: "SCHEDULED_REISSUE" } : one,
    );
    return { ...facts, referrals };
  });
}

/** Adds whether such a correction is on its way, for staff: they see each referral as the service has it. */
export async function addAwaitedCorrection(
  tenant: Tenant,
  all: readonly RequestFacts[],
): Promise<RequestFacts[]> {
  const waits = await waitingIn(tenant, all);
  return all.map((facts) => ({ ...facts, isCorrecting: facts.referrals.some(waits) }));
}

async function waitingIn(
  tenant: Tenant,
  all: readonly ReferralFacts[],
): Promise<(referral: StoredReferral) => boolean> {
  const issued = all.filter(({ referrals }) => referrals.some(isIssued));
  if (issued.length === 0) return () => false;
  const pending = await tenant.corrections.pendingNumbers(issued.map(({ request }) => request.id));
  return (one) => isIssued(one) && one.correction < (pending.get(one.requestId) ?? 0);
}

const isIssued = (one: StoredReferral): boolean => isCurrent(one) && one.status === "ISSUED";
