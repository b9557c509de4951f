import type { StoredReferral } from "../referrals/referral-repository.ts";
import type { ReferralSnapshot } from "../referrals/snapshots.ts";
import type { Tenant } from "../tenant.ts";
import type { ReferralRequest } from "./request.ts";

/**
 * Makes referrals of the service this request's own and ends its ledger: `created`. The refetch that is
 * queued with them brings documents and results. Doing it again with the same referrals changes nothing.
 * A request that was about to be sent again, or was refused at a later attempt, ends as well: what exists
 * counts, whatever was believed before.
 */
export async function adoptReferrals(
  tenant: Tenant,
  request: ReferralRequest,
  referrals: ReferralSnapshot[],
  now: Date,
): Promise<void> {
  // As the service had it at some moment of the attempt: what was announced since may not be in it.
  const readAt = request.attemptStartedAt ?? now;
  for (const snapshot of referrals) {
    await tenant.referrals.save(request.environment, request.id, snapshot, readAt);
    await tenant.jobs.enqueue({
      name: "refetch-referral",
      shop: tenant.shop,
      environment: request.environment,
      uuid: snapshot.uuid,
    });
  }
  const stored = await tenant.referrals.forRequests([request.id]);
  const fault = faultIn(request, stored);
  const open = ["sending", "ambiguous", "ready", "held", "rejected"] as const;
  await tenant.requests.move(request.id, open, "created", { attention: null });
  const current = await tenant.requests.find(request.id);
  const settled = current?.attention && LEDGER_FAULTS.has(current.attention);
  const attention = fault ?? (current?.unwanted ? "refunded_after_sending" : null);
  if (attention || settled) await tenant.requests.setAttention(request.id, attention);
}

const LEDGER_FAULTS = new Set(["half_created", "duplicate_referral"]);

/** Whether the service holds less or more than was asked for; both need a person. */
function faultIn(request: ReferralRequest, stored: StoredReferral[]): string | null {
  const current = stored.filter((referral) => referral.deletedAt === null);
  const count = (medicare: boolean) =>
    current.filter((referral) => referral.medicare === medicare).length;
  if (count(false) > 1 || count(true) > 1) return "duplicate_referral";
  return missingHalf(request, stored) ? "half_created" : null;
}

/** A Medicare request makes one referral, or two when it orders other tests as well (interface §4.2 rule 7). */
function missingHalf(request: ReferralRequest, referrals: { medicare: boolean }[]): boolean {
  const { bundleId, tests, medicareTests } = request.items;
  const wantsCommercial = bundleId !== null || tests.length > 0;
  const has = (medicare: boolean) => referrals.some((referral) => referral.medicare === medicare);
  return (wantsCommercial && !has(false)) || (medicareTests.length > 0 && !has(true));
}
