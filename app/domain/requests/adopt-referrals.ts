import type { ReferralSnapshot } from "../referrals/snapshots.ts";
import type { Tenant } from "../tenant.ts";
import type { ReferralRequest } from "./request.ts";

/**
 * Makes referrals of the service this request's own and ends its ledger: `created`. The refetch that is
 * queued with them brings documents and results. Doing it again with the same referrals changes nothing.
 */
export async function adoptReferrals(
  tenant: Tenant,
  request: ReferralRequest,
  referrals: ReferralSnapshot[],
  now: Date,
): Promise<void> {
  for (const snapshot of referrals) {
    await tenant.referrals.save(request.environment, request.id, snapshot, now);
    await tenant.jobs.enqueue({
      name: "refetch-referral",
      shop: tenant.shop,
      environment: request.environment,
      uuid: snapshot.uuid,
    });
  }
  await tenant.requests.move(request.id, ["sending", "ambiguous"], "created", {
    attention: missingHalf(request, referrals) ? "half_created" : null,
  });
}

/** A Medicare request makes one referral, or two when it orders other tests as well (interface §4.2 rule 7). */
function missingHalf(request: ReferralRequest, referrals: ReferralSnapshot[]): boolean {
  const { bundleId, tests, medicareTests } = request.items;
  const wantsCommercial = bundleId !== null || tests.length > 0;
  const has = (medicare: boolean) => referrals.some((referral) => referral.medicare === medicare);
  return (wantsCommercial && !has(false)) || (medicareTests.length > 0 && !has(true));
}
