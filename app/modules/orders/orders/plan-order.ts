import type { Mapping } from "../../catalogue/mapping.ts";
import type { LineItemId } from "../../kernel/ids.ts";
import type { ReferralRequest } from "../../referrals/request.ts";
import type { StoreOrder, StoreOrderLine } from "../order.ts";
import { isBackdated } from "./is-backdated.ts";
import type { LineMatches } from "./match-lines.ts";
import { planUnits, type UnitPlan } from "./plan-units.ts";

/** Units of one line that requests are to be opened for. */
export interface LineToOpen {
  line: StoreOrderLine;
  mapping: Mapping & { kind: "order" };
  units: number[];
}

/** The changes that make the requests of an order match what the store says of it, and what a person has to look at. */
export interface OrderPlan {
  open: LineToOpen[];
  /** Requests whose units are not bought any more, whatever was sent for them. */
  cancel: ReferralRequest[];
  /** Those among them that the service may know. */
  surplus: number;
  /** Requests whose cancellation ends, because their units are bought again. */
  wanted: ReferralRequest[];
  /** Lines that owe units, and nobody knows of what. */
  unmapped: LineItemId[];
  /** Those among them that are parts of a bundle which is mapped itself. */
  ofBundles: LineItemId[];
  /** Units that wait for the rest of the money. */
  owed: number;
  /** Units of an order of long ago that nobody has asked for here (docs/decisions/0118). */
  backdated: number;
  /** Units of an order that was ordered under another domain of the store (docs/decisions/0165). */
  otherName: number;
  /** Units that were sold while their product was no test, and that nobody has asked for here. */
  ignored: number;
  /** Units that are on the order, and without results, though all its money was given back (docs/decisions/0008). */
  givenAway: number;
}

/**
 * Compares an order with its requests, line by line (`planUnits`). `reported` are the ids of requests that have results. `ignored`
 * are the units of each line that were sold while their product was no test (`OrderRepository.ignoredUnits`).
 * `isDealtWith`: a person dealt with it while nobody could see what it holds (`wasDealtWithUnseen`).
 * `isWanted`: a person named the order, so that its tests are ordered however old it is, and whatever was given back. `firstInstalledAt`: when the shop first
 * had the app. `isOfOtherName`: something was ordered for it under another domain of its store, which no person's wish changes. Decides
 * alone: nothing is read or written.
 */
export function planOrder(
  order: StoreOrder,
  {
    matches,
    existing,
    reported,
    ignored = NONE,
    isWanted = false,
    firstInstalledAt = null,
    isDealtWith = false,
    isOfOtherName = false,
  }: {
    matches: LineMatches;
    existing: ReferralRequest[];
    reported: ReadonlySet<string>;
    ignored?: ReadonlyMap<LineItemId, number> | undefined;
    isWanted?: boolean | undefined;
    firstInstalledAt?: Date | null;
    isDealtWith?: boolean;
    isOfOtherName?: boolean;
  },
): OrderPlan {
  const plan: OrderPlan = {
    ...{ open: [], cancel: [], wanted: [], unmapped: [], ofBundles: [] },
    ...{ surplus: 0, owed: 0, backdated: 0, otherName: 0, ignored: 0, givenAway: 0 },
  };
  // Its payment was voided and nothing was ordered: nobody owes anything, as with an order that was never paid.
  if (order.isMoneyBack && !order.paid && existing.length === 0) return plan;
  const isLongAgo = isBackdated(order, firstInstalledAt) && existing.length === 0;
  const waitsForPerson = !isWanted && (isDealtWith || isLongAgo);
  // A wish pays for nothing.
  const isGivenAway = order.isMoneyBack === true && !(isWanted && order.paid);
  for (const line of order.lines) {
    const { state, mapping, isOfBundle } = matches.get(line.id) ?? { state: null, mapping: null };
    const requests = existing.filter((request) => request.lineItemId === line.id);
    const left = order.cancelledAt ? 0 : line.currentQuantity;
    const units = planUnits(requests, left, reported, ignored.get(line.id));
    // An order that was paid and then grew is paid in part: what was refunded counts, what is owed waits.
    if (mapping?.kind === "order") {
      if (isOfOtherName) plan.otherName += units.open.length;
      else if (waitsForPerson) plan.backdated += units.open.length;
      else if (isGivenAway) plan.givenAway += units.open.length;
      else if (order.paid) plan.open.push({ line, mapping, units: units.open });
      else plan.owed += units.open.length;
      // Money that came back was for them as well.
      if (!order.isMoneyBack) plan.ignored += units.setAside;
    }
    if (order.isMoneyBack) plan.givenAway += countLiving(requests, { units, reported });
    if (state === "unmapped" && units.open.length > 0) plan.unmapped.push(line.id);
    // Mapped later, it is asked about as well.
    if (state === "unmapped" && isDealtWith && !isWanted) plan.backdated += units.open.length;
    if (isOfBundle && units.open.length > 0) plan.ofBundles.push(line.id);
    plan.cancel.push(...units.cancel, ...units.cancelSent, ...units.settle);
    plan.surplus += units.cancelSent.length;
    plan.wanted.push(...units.wanted);
  }
  return plan;
}

const NONE: ReadonlyMap<LineItemId, number> = new Map();

/** Units that stay, of which nothing came yet. */
function countLiving(
  requests: ReferralRequest[],
  { units, reported }: { units: UnitPlan; reported: ReadonlySet<string> },
): number {
  const going = new Set([...units.cancel, ...units.cancelSent, ...units.settle]);
  const done = new Set(requests.filter(({ id }) => reported.has(id)).map(({ unit }) => unit));
  const living = requests.filter(
    (one) => !going.has(one) && one.state !== "cancelled" && !done.has(one.unit),
  );
  return new Set(living.map(({ unit }) => unit)).size;
}
