import type { CustomerState, RequestFacts } from "./customer-view.ts";
import {
  createdState,
  isForToday,
  nextStepOf,
  resultToOffer,
  statusesOf,
  todayOf,
} from "./customer-view.ts";
import { isCurrent } from "./referral-repository.ts";
import type { ReferralPart } from "./request.ts";
import { partOfReferral, partsOfItems } from "./requests/referral-parts.ts";

/** One of the two referrals of a unit that also has tests under Medicare, with what came of it. */
export interface UnitPart {
  part: ReferralPart;
  /** Where this part stands, whatever the other one does. */
  state: CustomerState;
  nextStep: string;
  /** Whether its owner is asked to open a result of it today, or to ring about one. */
  isForToday: boolean;
  /** The words of its next step that say so. */
  today?: string;
  /** Statuses of its referrals, as the service wrote them. */
  statuses: string[];
  /** The result of this part, once released. */
  resultId?: string;
}

/**
 * The two parts of a unit whose order makes two referrals, therefore two forms and two results (interface §4.2
 * rule 7), as soon as one of them exists. None for a unit with one referral: that speaks for itself. A part that was ordered
 * again is left out unless a result came of it: its replacement tells where it stands.
 */
export function partsOf(facts: RequestFacts): UnitPart[] {
  const { request, referrals } = facts;
  const parts = partsOfItems(request.items);
  if (parts.length < 2 || referrals.length === 0 || request.state === "cancelled") return [];
  return parts.flatMap((part) => {
    const own = factsOf(facts, part);
    const isOver = !own.referrals.some(isCurrent) && own.results.length === 0;
    if (isOver && facts.orderedAgain?.includes(part)) return [];
    const state = stateOf(own, part);
    const released = resultToOffer(own, state);
    const today = todayOf(own, state);
    return {
      part,
      state,
      nextStep: nextStepOf(own, state),
      isForToday: isForToday(own, state),
      ...(today === null ? {} : { today }),
      statuses: statusesOf(own),
      ...(released ? { resultId: released.uuid } : {}),
    };
  });
}

/** A part that was refused, or is not sent before the patient's age is known, is prepared by nobody until the shop has looked. */
function stateOf(own: RequestFacts, part: ReferralPart): CustomerState {
  const { state, missingPart } = own.request;
  const seen = createdState(own);
  const isLeft = state === "created" && missingPart === part;
  return isLeft && seen === "being_prepared" ? "needs_support" : seen;
}

/**
 * Returns the part of the unit that a referral is. Null where the unit has one part only, or where the referral is
 * not known: a result can come before its referral.
 */
export function partOf(
  { request, referrals }: Pick<RequestFacts, "request" | "referrals">,
  referralUuid: string,
): ReferralPart | null {
  if (partsOfItems(request.items).length < 2) return null;
  const referral = referrals.find(({ uuid }) => uuid === referralUuid);
  return referral ? partOfReferral(referral) : null;
}

/** Returns the facts of one part, as if the part were all of the unit. */
function factsOf(
  { request, referrals, results, documents, ...more }: RequestFacts,
  part: ReferralPart,
): RequestFacts {
  const own = referrals.filter((referral) => partOfReferral(referral) === part);
  const uuids = new Set(own.map(({ uuid }) => uuid));
  return {
    ...more,
    // The part that exists waits for nobody at the shop.
    isDelayed: more.isDelayed === true && request.missingPart === part,
    request,
    referrals: own,
    results: results.filter(({ referralUuid }) => uuids.has(referralUuid)),
    documents: documents.filter(({ sourceUuid }) => uuids.has(sourceUuid)),
  };
}
