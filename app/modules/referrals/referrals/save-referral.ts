import type { Shop } from "../../shops/shop.ts";
import { reachMilestone } from "../reach-milestone.ts";
import { isCurrent, type StoredReferral } from "../referral-repository.ts";
import type { ReferralRequest } from "../request.ts";
import type { ReferralSnapshot } from "../snapshots.ts";
import type { Tenant } from "../tenant.ts";

/**
 * Stores a snapshot of one referral of a locked request (`ReferralRepository.save`), and has the store told when its form was
 * issued, or the laboratory is done with the unit. `known` is what is stored of it, for whoever read it under this lock, and `shop` its shop. The caller lets the
 * ledger look at the request afterwards (apply.ts).
 */
export async function saveReferral(
  tenant: Tenant,
  { id: requestId, environment, orderId }: Pick<ReferralRequest, "id" | "environment" | "orderId">,
  snapshot: ReferralSnapshot,
  at: Date,
  { known, shop }: { known?: StoredReferral | null | undefined; shop?: Shop | null } = {},
) {
  const saved = await tenant.referrals.save(environment, requestId, snapshot, at, known);
  const isIssued = saved.outcome === "stored" && snapshot.status === "ISSUED";
  if (isIssued && saved.previousStatus !== "ISSUED")
    await reachMilestone(tenant, { orderId, requestId, milestone: "referral_issued" }, shop);
  const isComplete = saved.outcome === "stored" && snapshot.status === "COMPLETE";
  if (
    isComplete &&
    saved.previousStatus !== "COMPLETE" &&
    (await isLaboratoryDone(tenant, requestId))
  )
    await reachMilestone(tenant, { orderId, requestId, milestone: "results_ready" }, shop);
  return saved;
}

/**
 * Whether every referral of a unit is complete. Its results count for nothing here: a milestone that came later for one which is
 * held, or never, would tell whoever sees orders in Shopify that something was found.
 */
async function isLaboratoryDone(tenant: Tenant, requestId: string): Promise<boolean> {
  const request = await tenant.requests.find(requestId);
  const referrals = await tenant.referrals.forRequests([requestId]);
  return (
    request?.missingPart === null &&
    referrals.filter(isCurrent).every(({ status }) => status === "COMPLETE")
  );
}
