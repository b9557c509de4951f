import { apply } from "../apply.ts";
import { areAllListed, hasItsTests, hasOtherTests } from "../other-tests.ts";
import { isCurrent } from "../referral-repository.ts";
import type { ReferralRequest } from "../request.ts";
import type { ReferralSnapshot } from "../snapshots.ts";
import { isUsable } from "../status.ts";
import type { Tenant } from "../tenant.ts";

/**
 * Has a person told of a referral that has other tests than were ordered, while its patient can still be told, or ends what they were
 * told (docs/decisions/0174). Once the laboratory has it, or it has failed, nobody knows what its tests stand for.
 */
export async function recordTests(
  tenant: Tenant,
  request: ReferralRequest,
  snapshot: ReferralSnapshot,
  now: Date,
): Promise<void> {
  const { id: requestId, environment, items } = request;
  const { uuid } = snapshot;
  const by = { actor: "service", at: now } as const;
  const isOff = snapshot.deletedAt === null && hasOtherTests(snapshot, items);
  if (!isOff) {
    if (request.reviewReason?.code === "other_tests" && (await areAllRight(tenant, request)))
      await apply(tenant, requestId, { kind: "tests_read", uuid, areOthers: false }, by);
    return;
  }
  if (!isUsable(snapshot) || (await tenant.requests.isRedacted(requestId))) return;
  const catalogue = await tenant.catalogues.find(environment);
  if (!catalogue || !areAllListed(snapshot, items, catalogue.tests)) return;
  const stored = await tenant.referrals.find(uuid);
  if (stored && isCurrent(stored))
    await apply(tenant, requestId, { kind: "tests_read", uuid, areOthers: true }, by);
}

/** Whether each referral of a request that counts had its tests when it was read last: one that does not say puts nothing right. */
async function areAllRight(tenant: Tenant, { id, items }: ReferralRequest): Promise<boolean> {
  const current = (await tenant.referrals.forRequests([id])).filter(isCurrent);
  for (const { uuid, medicare } of current)
    if (!hasItsTests({ tests: await tenant.referrals.testsOf(uuid), medicare }, items))
      return false;
  return true;
}
