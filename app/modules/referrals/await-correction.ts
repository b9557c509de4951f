import type { RequestFacts } from "./customer-view.ts";
import { isCurrent, type StoredReferral } from "./referral-repository.ts";
import type { Tenant } from "./tenant.ts";

/**
 * Reads each referral that a saved correction has not reached as the service will read it then: its form is being remade. The
 * service may be away for hours, and nobody is to take the form with the wrong details to a collection centre meanwhile.
 */
export async function awaitCorrection(
  tenant: Tenant,
  all: readonly RequestFacts[],
): Promise<RequestFacts[]> {
  const issued = all.filter(({ referrals }) => referrals.some(isIssued));
  if (issued.length === 0) return [...all];
  const pending = await tenant.corrections.pendingNumbers(issued.map(({ request }) => request.id));
  return all.map((facts) => {
    const number = pending.get(facts.request.id) ?? 0;
    const waits = (one: StoredReferral) => isIssued(one) && one.correction < number;
    const referrals = facts.referrals.map((one) =>
      waits(one) ? { ...one, status: "SCHEDULED_REISSUE" } : one,
    );
    return { ...facts, referrals };
  });
}

const isIssued = (one: StoredReferral): boolean => isCurrent(one) && one.status === "ISSUED";
