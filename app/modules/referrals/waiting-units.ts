import type { Holder } from "../patients/holder.ts";
import type { ReferralRequest } from "./request.ts";
import type { Tenant } from "./tenant.ts";

/** What the holder still has to give details for: a patient one unit, a buyer all that they bought together. */
export async function waitingUnits(
  tenant: Tenant,
  request: ReferralRequest,
  holder: Holder,
): Promise<ReferralRequest[]> {
  const units = holder === "patient" ? [request] : await tenant.requests.forOrder(request.orderId);
  return units.filter((unit) => unit.state === "awaiting_details" && unit.holder === holder);
}
