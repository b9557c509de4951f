import type { ReferralRequest } from "../../referrals/request.ts";
import { isUnsent } from "../../referrals/request.ts";

/** The changes that make the requests of one line match what was bought. */
export interface UnitPlan {
  /** Unit numbers to open requests for. */
  open: number[];
  /** Units that are owed no request, though none exists for them. */
  setAside: number;
  /** Requests to cancel; nothing exists at the service for them. */
  cancel: ReferralRequest[];
  /** Requests beyond what is still bought, which the service may know already. */
  cancelSent: ReferralRequest[];
  /** Requests that staff had cancelled, and that the store has now taken back as well. */
  settle: ReferralRequest[];
  /** Requests whose unit the store had taken back, and that are bought again. */
  wanted: ReferralRequest[];
}

const NO_RESULTS: ReadonlySet<string> = new Set();

/**
 * Compares the requests of a line (any generation) with the quantity that is still bought. `reported` are the
 * ids of requests that have results. `ignored`: so many units were sold while their product was no test. They cost nothing, so
 * that they are the first to go.
 *
 * A unit that staff cancelled is still paid for: nothing is opened in its place, until it is ordered again.
 * Numbers of units that the store took back are not used again, so a refund followed by an edit gives new ones.
 * Units are cancelled in this order (docs/decisions/0008): those that staff cancelled, those that were chosen
 * before (so that the same message, told twice, chooses the same ones), then where it costs least: no details
 * yet, unsent, sent, with results; later units before earlier.
 */
export function planUnits(
  requests: ReferralRequest[],
  currentQuantity: number,
  reported: ReadonlySet<string> = NO_RESULTS,
  ignored = 0,
): UnitPlan {
  const active = requests.filter((request) => !isOver(request));
  const units = Map.groupBy(active, (request) => request.unit);
  // A unit costs what its dearest generation does; else each reading would cancel another unit.
  const cheapestFirst = [...units]
    .map(([unit, own]) => ({ unit, cost: Math.max(...own.map((one) => cost(one, reported))), own }))
    .sort((a, b) => rank(a.own) - rank(b.own) || a.cost - b.cost || b.unit - a.unit);
  const missing = Math.max(0, currentQuantity - units.size);
  const setAside = Math.min(ignored, missing);
  const highest = Math.max(0, ...requests.map((request) => request.unit));
  const excess = Math.max(0, units.size - currentQuantity);
  const going = cheapestFirst.slice(0, excess).flatMap(({ own }) => own);
  const alive = going.filter((request) => request.state !== "cancelled");
  return {
    open: Array.from({ length: missing - setAside }, (_, index) => highest + index + 1),
    setAside,
    cancel: alive.filter(isUnsent),
    cancelSent: alive.filter((request) => !isUnsent(request)),
    settle: going.filter((request) => request.state === "cancelled"),
    wanted: active.filter((request) => isTakenByStore(request) && !going.includes(request)),
  };
}

/** Cancelled by the store: neither bought nor ordered any more. */
const isOver = ({ state, cancellation }: ReferralRequest) =>
  state === "cancelled" && cancellation?.requestedBy !== "staff";

/** The store gave it up. Asked of requests that are not over. */
const isTakenByStore = ({ cancellation }: ReferralRequest) => cancellation?.requestedBy === "store";

function rank(own: ReferralRequest[]): number {
  if (own.every((request) => request.state === "cancelled")) return 0;
  return own.some(({ state, cancellation }) => state !== "cancelled" && cancellation !== null)
    ? 1
    : 2;
}

function cost(request: ReferralRequest, reported: ReadonlySet<string>): number {
  if (request.state === "cancelled" || request.state === "awaiting_details") return 0;
  if (isUnsent(request)) return 1;
  return reported.has(request.id) ? 3 : 2;
}
