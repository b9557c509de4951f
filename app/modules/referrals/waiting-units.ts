import type { UnitOwner } from "../patients/unit-owner.ts";
import type { ReferralRequest } from "./request.ts";
import type { Tenant } from "./tenant.ts";

/**
 * Returns the units that wait for their owner's details: one unit for a patient, all units bought together for a
 * buyer.
 */
export async function waitingUnits(
  tenant: Tenant,
  request: ReferralRequest,
  owner: UnitOwner,
): Promise<ReferralRequest[]> {
  const units = owner === "patient" ? [request] : await tenant.requests.forOrder(request.orderId);
  return units.filter((unit) => unit.state === "awaiting_details" && unit.owner === owner);
}
