import type { StoredResult } from "../referral-repository.ts";
import type { ReferralRequest } from "../request.ts";
import type { Tenant } from "../tenant.ts";
import { forgetResultsMail, resultsMail } from "./results-mail.ts";

/**
 * Takes results away that are of a referral which names another person now, or that the service gives somebody else. It may not
 * give them again for hours; each is then judged by what it says itself.
 */
export async function withholdResults(
  tenant: Tenant,
  request: ReferralRequest,
  { isMeant, now }: { isMeant: (result: StoredResult) => boolean; now: Date },
): Promise<void> {
  const { id: requestId, orderId } = request;
  const referrals = await tenant.referrals.forRequests([requestId]);
  const results = await tenant.results.forRequests([requestId]);
  const entry = { actor: "service", at: now, orderId, requestId } as const;
  for (const result of results) {
    const { uuid, releasedAt, deletedAt, otherPerson } = result;
    if (!isMeant(result) || otherPerson || deletedAt !== null) continue;
    await tenant.results.withhold(uuid);
    await tenant.timeline.add({ ...entry, kind: "result_other_person", detail: { uuid } });
    if (releasedAt === null) continue;
    await tenant.timeline.add({ ...entry, kind: "result_held_again", detail: { uuid } });
    // The patient is told again when it is there again.
    await forgetResultsMail(tenant, resultsMail({ request, referrals, results }, result, null));
  }
}

/** Has the results of a referral read again, of which it is known anew whom it names. */
export async function readResultsAgain(
  tenant: Tenant,
  { id, environment }: Pick<ReferralRequest, "id" | "environment">,
  referralUuids: readonly string[],
): Promise<void> {
  for (const { uuid, referralUuid } of await tenant.results.forRequests([id]))
    if (referralUuids.includes(referralUuid))
      await tenant.jobs.enqueue({ name: "refetch-result", shop: tenant.shop, environment, uuid });
}
