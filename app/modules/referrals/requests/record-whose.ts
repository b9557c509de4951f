import type { StoredResult } from "../referral-repository.ts";
import type { ReferralRequest } from "../request.ts";
import { recordResultReasons } from "../results/record-result-reasons.ts";
import { readResultsAgain, withholdResults } from "../results/withhold-results.ts";
import type { Tenant } from "../tenant.ts";

/**
 * Has a person told of a referral that names another person than the one it was ordered for, or ends what they were told. Nothing is
 * ordered because of it: the unit has its referral.
 */
export async function recordWhose(
  tenant: Tenant,
  request: ReferralRequest,
  { uuid, is, was, now }: { uuid: string; is: boolean; was: boolean | null | undefined; now: Date },
): Promise<void> {
  if (is && !was)
    await tenant.timeline.add({
      kind: "referral_other_person",
      actor: "service",
      at: now,
      orderId: request.orderId,
      requestId: request.id,
      detail: { uuid },
    });
  const isMeant = ({ referralUuid }: StoredResult) => referralUuid === uuid;
  if (is) await withholdResults(tenant, request, { isMeant, now });
  if (is !== was) await readResultsAgain(tenant, request, [uuid]);
  await recordResultReasons(tenant, request, { isShownNow: false, now });
}
