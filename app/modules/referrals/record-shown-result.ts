import type { ReferralRequest } from "./request.ts";
import { recordResultReasons } from "./results/record-result-reasons.ts";
import type { Tenant } from "./tenant.ts";

/** Asks the shop to ring a patient who can see a critical result, and may not know it. */
export async function recordShownResult(
  tenant: Tenant,
  request: Pick<ReferralRequest, "id">,
  now: Date,
): Promise<void> {
  await recordResultReasons(tenant, request, { isShownNow: true, now });
}
