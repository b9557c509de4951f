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
}

/**
 * Compares the requests of a line (any generation) with the quantity that is still bought.
 * Numbers of cancelled units are not used again, so a refund followed by an edit gives new units.
 * Surplus is taken first from where it costs nothing: unsent before sent, later units before earlier.
 */
export function planUnits(requests: ReferralRequest[], currentQuantity: number): UnitPlan {
  const active = requests
    .filter((request) => request.state !== "cancelled")
    .sort((a, b) => cost(a) - cost(b) || b.unit - a.unit);
  const units = new Set(active.map((request) => request.unit));
  const missing = Math.max(0, currentQuantity - units.size);
  const highest = Math.max(0, ...requests.map((request) => request.unit));
  const excess = Math.max(0, units.size - currentQuantity);
  const leaving = new Set([...new Set(active.map((request) => request.unit))].slice(0, excess));
  const going = active.filter((request) => leaving.has(request.unit));
  return {
    open: Array.from({ length: missing }, (_, index) => highest + index + 1),
    cancel: going.filter(isUnsent),
    surplus: going.filter((request) => !isUnsent(request)),
  };
}

const isUnsent = (request: ReferralRequest) =>
  (UNSENT_STATES as readonly string[]).includes(request.state);

function cost(request: ReferralRequest): number {
  if (request.state === "awaiting_details") return 0;
  return isUnsent(request) ? 1 : 2;
}
