import { cancelUnit } from "../cancel-unit.ts";
import type { ReferralRequest } from "../request.ts";
import type { Tenant } from "../tenant.ts";

/**
 * Ends a request that has just been found unsent when its unit was cancelled in the meantime. Returns
 * whether it did; nothing may then be sent for it.
 */
export async function cancelIfRequested(
  tenant: Tenant,
  request: ReferralRequest,
  now: Date,
): Promise<boolean> {
  if (request.cancellation === null) return false;
  const by = request.cancellation.requestedBy;
  const actor = by === "store" ? "shopify" : "pathway";
  await cancelUnit(tenant, request, { by, actor, now });
  return true;
}
