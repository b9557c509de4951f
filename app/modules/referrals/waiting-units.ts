import type { TimelineEntry } from "../kernel/timeline.ts";
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
  return units.filter((unit) => isWaitingFor(unit, owner));
}

/** Whether a unit waits for this owner's details. */
export const isWaitingFor = (
  unit: Pick<ReferralRequest, "state" | "owner">,
  owner: UnitOwner,
): boolean => unit.state === "awaiting_details" && unit.owner === owner;

/** The same without those whose owner is not to be asked, because of the date of birth that they gave. */
export async function askedUnits(
  tenant: Tenant,
  request: ReferralRequest,
  owner: UnitOwner,
): Promise<ReferralRequest[]> {
  const waiting = await waitingUnits(tenant, request, owner);
  if (!waiting.some(({ underAge }) => underAge)) return waiting;
  const timeline = await tenant.timeline.forOrder(request.orderId);
  return waiting.filter((unit) => !isRefusedForAge(unit, timeline));
}

/**
 * Whether a unit waits for what the shop decides about a date of birth under its minimum age. Its owner was told to contact the
 * shop, and a reminder would ask for the same details again. Staff who ask again decide that it goes on.
 */
export function isRefusedForAge(
  { id, underAge }: Pick<ReferralRequest, "id" | "underAge">,
  timeline: readonly TimelineEntry[],
): boolean {
  const last = (isOne: (entry: TimelineEntry) => boolean) => timeline.findLastIndex(isOne);
  return (
    underAge &&
    last(({ kind, requestId }) => kind === "under_age" && requestId === id) >=
      last(({ kind }) => kind === "details_asked")
  );
}
