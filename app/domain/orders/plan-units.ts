import type { ReferralRequest } from "../requests/request.ts";
import { UNSENT_STATES } from "../requests/request.ts";

/** What has to happen to the requests of one line so that they match what was bought. */
export interface UnitPlan {
  /** Unit numbers to open requests for. */
  open: number[];
  /** Requests to cancel; nothing exists at the service for them. */
  cancel: ReferralRequest[];
  /** Requests beyond what is still bought, which the service may know already: a person decides. */
  surplus: ReferralRequest[];
  /** Requests that were surplus and are bought again. */
  wanted: ReferralRequest[];
}

/**
 * Compares the requests of a line (any generation) with the quantity that is still bought.
 * Numbers of cancelled units are not used again, so a refund followed by an edit gives new units.
 * Surplus is taken first from where it costs nothing: unsent before sent, later units before earlier.
 */
export function planUnits(requests: ReferralRequest[], currentQuantity: number): UnitPlan {
  const active = requests.filter((request) => request.state !== "cancelled");
  // A unit costs what its dearest generation does; else each reading would give up another unit.
  const units = new Map<number, number>();
  for (const request of active)
    units.set(request.unit, Math.max(units.get(request.unit) ?? 0, cost(request)));
  const cheapestFirst = [...units].sort(([a, costA], [b, costB]) => costA - costB || b - a);
  const missing = Math.max(0, currentQuantity - units.size);
  const highest = Math.max(0, ...requests.map((request) => request.unit));
  const excess = Math.max(0, units.size - currentQuantity);
  const going = cheapestFirst
    .slice(0, excess)
    .flatMap(([unit]) => active.filter((request) => request.unit === unit));
  return {
    open: Array.from({ length: missing }, (_, index) => highest + index + 1),
    cancel: going.filter(isUnsent),
    surplus: going.filter((request) => !isUnsent(request)),
    wanted: active.filter((request) => request.unwanted && !going.includes(request)),
  };
}

const isUnsent = (request: ReferralRequest) =>
  (UNSENT_STATES as readonly string[]).includes(request.state);

function cost(request: ReferralRequest): number {
  if (request.state === "awaiting_details") return 0;
  return isUnsent(request) ? 1 : 2;
}
