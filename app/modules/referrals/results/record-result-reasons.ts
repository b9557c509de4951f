import { apply } from "../apply.ts";
import { isHeld } from "../referral-repository.ts";
import type { ReferralRequest } from "../request.ts";
import type { Tenant } from "../tenant.ts";
import { isUrgent } from "../urgency.ts";

/**
 * Lets the ledger look at a locked request after one of its results was read or released. `isShownNow`: its patient can
 * see a critical result since this transaction.
 */
export async function recordResultReasons(
  tenant: Tenant,
  { id }: Pick<ReferralRequest, "id">,
  { isShownNow, now }: { isShownNow: boolean; now: Date },
): Promise<void> {
  const hasUrgentHold = await isAnyUrgent(tenant, id);
  const event = { kind: "results_read", hasUrgentHold, isShownNow } as const;
  await apply(tenant, id, event, { actor: "pathway", at: now });
}

async function isAnyUrgent(tenant: Tenant, requestId: string): Promise<boolean> {
  const results = await tenant.results.forRequests([requestId]);
  for (const { uuid } of results.filter(isHeld)) {
    const snapshot = await tenant.results.snapshotOf(uuid);
    if (snapshot && isUrgent(snapshot)) return true;
  }
  return false;
}
