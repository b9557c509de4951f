import type { ReferralRequest } from "../request.ts";
import { takeBack } from "../take-back.ts";
import type { Tenant } from "../tenant.ts";

/**
 * Ends a request that has just been found unsent when its unit was given up in the meantime. Returns
 * whether it did; nothing may then be sent for it.
 */
export async function dropUnwanted(
  tenant: Tenant,
  request: ReferralRequest,
  now: Date,
): Promise<boolean> {
  if (request.cancellation === null) return false;
  const by = request.cancellation.requestedBy;
  const outcome = await takeBack(tenant, request, {
    by,
    actor: by === "store" ? "shopify" : "pathway",
    now,
  });
  return outcome !== "unsettled";
}
