import { apply, heldByService } from "../apply.ts";
import { isHeld, type StoredReferral, type StoredResult } from "../referral-repository.ts";
import type { ReferralRequest } from "../request.ts";
import { alertOf } from "../result-alert.ts";
import type { Tenant } from "../tenant.ts";
import { isUrgent, URGENT_SHOWN } from "../urgency.ts";

/**
 * Locks a request and lets the ledger look at it after one of its results was read or released. `isShownNow`: its patient can
 * see a critical result since this transaction. `referrals`: those that are stored, for whoever has read them under the lock. Returns
 * the referrals and results that it looked at.
 */
export async function recordResultReasons(
  tenant: Tenant,
  { id }: Pick<ReferralRequest, "id">,
  { isShownNow, now, referrals }: { isShownNow: boolean; now: Date; referrals?: StoredReferral[] },
): Promise<Awaited<ReturnType<typeof heldByService>>> {
  const request = await tenant.requests.findForUpdate(id);
  const held = referrals
    ? { referrals, results: await tenant.results.forRequests([id]) }
    : await heldByService(tenant, id);
  const isUrgentHeld = await isAnyUrgent(tenant, held.results);
  const isToRing = isShownNow || request?.resultReason === URGENT_SHOWN;
  const isCriticalShown = isToRing && (await isAnyCriticalShown(tenant, held.results));
  const read = { hasUrgentHold: isUrgentHeld, isShownNow, isCriticalShown };
  await apply(tenant, id, { kind: "results_read", ...read }, { actor: "pathway", at: now }, held);
  return held;
}

/** Whether a result of a request is held that cannot wait. */
export const hasUrgentHold = async (
  tenant: Tenant,
  { id }: Pick<ReferralRequest, "id">,
): Promise<boolean> => isAnyUrgent(tenant, await tenant.results.forRequests([id]));

async function isAnyUrgent(tenant: Tenant, results: readonly StoredResult[]): Promise<boolean> {
  for (const { uuid } of results.filter(isHeld)) {
    const snapshot = await tenant.results.snapshotOf(uuid);
    if (snapshot && isUrgent(snapshot)) return true;
  }
  return false;
}

/** Whether the patient can see a result that is critical. A copy that is damaged may be. */
async function isAnyCriticalShown(
  tenant: Tenant,
  results: readonly StoredResult[],
): Promise<boolean> {
  for (const { uuid, releasedAt } of results) {
    if (releasedAt === null) continue;
    const snapshot = await tenant.results.snapshotBefore(uuid);
    if (!snapshot || alertOf(snapshot)?.level === "critical") return true;
  }
  return false;
}
