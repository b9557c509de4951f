import { ReferralServiceError } from "../../../platform/errors.ts";
import { isNewer } from "../referral-repository.ts";
import type { ResultSnapshot } from "../snapshots.ts";
import type { Tenant } from "../tenant.ts";
import { recordResultReasons } from "./record-result-reasons.ts";
import { withholdResults } from "./withhold-results.ts";

/** The service gives a result of one test as another's. */
export class MovedResult extends ReferralServiceError {
  constructor() {
    super("contract_mismatch", "result: referralUuid changed");
  }
}

/**
 * Takes such a result away from the patient who has it, and has somebody told today: two patients' results may be mixed up. The
 * other one does not get it. An answer from before the one that is stored takes nothing away.
 */
export async function withholdMoved(
  tenant: Tenant,
  { uuid, updatedAt }: Pick<ResultSnapshot, "uuid" | "updatedAt">,
  { askedAt, now }: { askedAt: Date; now: Date },
): Promise<void> {
  const known = await tenant.results.find(uuid);
  const request = known && (await tenant.requests.findForUpdate(known.requestId));
  // It may have been read again before the lock was had.
  const stored = request && (await tenant.results.find(uuid));
  if (!stored || isNewer(stored, { updatedAt, askedAt })) return;
  await withholdResults(tenant, request, { isMeant: (one) => one.uuid === uuid, now });
  await recordResultReasons(tenant, request, { isShownNow: false, now });
}
