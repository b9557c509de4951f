import type { Tenant } from "../tenant.ts";
import type { ReferralRequest } from "./request.ts";
import { UNSENT_STATES } from "./request.ts";

/**
 * Ends a request that has just been found unsent when the store took its unit back in the meantime. Returns
 * whether it did; nothing may then be sent for it.
 */
export async function dropUnwanted(
  tenant: Tenant,
  request: ReferralRequest,
  now: Date,
): Promise<boolean> {
  if (!request.unwanted) return false;
  const { id, orderId } = request;
  const change = { attention: null, unwanted: false };
  if (!(await tenant.requests.move(id, UNSENT_STATES, "cancelled", change))) return false;
  const entry = { actor: "shopify", at: now, orderId, requestId: id } as const;
  await tenant.timeline.add({ ...entry, kind: "request_cancelled" });
  return true;
}
