import type { UnitOwner } from "../patients/unit-owner.ts";
import type { ReferralRequest } from "./request.ts";
import type { Tenant } from "./tenant.ts";

/** What the owner still has to give details for: a patient one unit, a buyer all that they bought together. */
export async function waitingUnits(
  tenant: Tenant,
  request: ReferralRequest,
  owner: UnitOwner,
): Promise<ReferralRequest[]> {
  const units = owner === "patient" ? [request] : await tenant.requests.forOrder(request.orderId);
  return units.filter((unit) => unit.state === "awaiting_details" && unit.owner === owner);
}
