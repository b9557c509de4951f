import { isConfirmed } from "../cancellation.ts";
import { type OrderRisk, RISK_REASONS } from "../order-risk.ts";
import { isLeftToPerson, isUnsent } from "../request.ts";
import { isSameReason, plainReason, type ReviewReason } from "../review-reason.ts";
import type { EventOf, Step, Transition } from "./events.ts";
import type { Attempt, LedgerFacts } from "./facts.ts";
import { hasDuplicate, isOfDocuments } from "./reasons.ts";

export const holdForRisk = (risk: Exclude<OrderRisk, "clear">): Step => ({
  to: "held",
  change: { reviewReason: plainReason(RISK_REASONS[risk]) },
  records: "risk_held",
  detail: { risk },
});

export function takeDetails(
  request: LedgerFacts,
  { isHeldByShop }: EventOf<"details_given">,
): Transition {
  // One of its referrals exists, with the details it was ordered with.
  if (request.missingPart !== null) return "does_not_apply";
  return {
    to: isHeldByShop ? "held" : "ready",
    change: { reviewReason: null },
    records: request.hasPatient ? "details_corrected" : "details_given",
    ...(isHeldByShop ? {} : { queues: "create-referral" }),
  };
}

export function claim(
  request: LedgerFacts,
  { at, deadlineAt, recoveryLowerBound }: EventOf<"claimed">,
): Transition {
  return {
    to: "sending",
    change: {
      reviewReason: null,
      attempt: request.attempt + 1,
      attemptStartedAt: request.attemptStartedAt ?? at,
      attemptDeadlineAt: deadlineAt,
      recoveryLowerBound,
      emptyScans: 0,
    },
  };
}

/**
 * Whether this is the request's latest attempt. A restored database may give a later attempt the same number; its deadline
 * is another.
 */
export const isLatest = (request: LedgerFacts, claimed: Attempt): boolean =>
  request.attempt === claimed.attempt &&
  request.attemptDeadlineAt?.getTime() === claimed.attemptDeadlineAt?.getTime();

/** A scan of one attempt says nothing about the next, which may have begun while it was read. */
export const ofLatest = (
  request: LedgerFacts,
  { attempt }: { attempt: number },
  step: Step,
): Transition => (request.attempt === attempt ? step : "other_attempt");

/** An attempt that a restored database has forgotten, and of which nobody knows the end, is looked for as any other. */
export function restoreClaim(request: LedgerFacts, { claimed }: EventOf<"unknown">): Transition {
  // Without its patient's details it cannot be sent: the walk that ends the pause finds what came of it.
  if (!request.hasPatient || request.attempt >= claimed.attempt) return "other_attempt";
  const { attempt, attemptStartedAt, attemptDeadlineAt, recoveryLowerBound } = claimed;
  return {
    to: "ambiguous",
    change: {
      reviewReason: null,
      emptyScans: 0,
      attempt,
      ...(attemptStartedAt && { attemptStartedAt }),
      ...(attemptDeadlineAt && { attemptDeadlineAt }),
      ...(recoveryLowerBound && { recoveryLowerBound }),
    },
  };
}

/** A referral that exists counts, whatever was believed before. */
export function exists(request: LedgerFacts): Transition {
  const lasting = isUnderAge(request) ? UNDER_AGE : null;
  const reviewReason = hasDuplicate(request.referrals)
    ? plainReason("duplicate_referral")
    : lasting;
  return { to: "created", change: { reviewReason, missingPart: null } };
}

export function seekPart(request: LedgerFacts, { part, now }: EventOf<"part_missing">): Transition {
  if (request.missingPart === part) return "nothing_new";
  return {
    to: "ambiguous",
    change: {
      reviewReason: isUnderAge(request) ? UNDER_AGE : null,
      missingPart: part,
      emptyScans: 0,
      // A restored database may have forgotten the attempt: then what made the first one is over by now.
      ...(request.attemptDeadlineAt ? {} : { attemptDeadlineAt: now }),
    },
    records: "half_missing",
    detail: { half: part },
    queues: "resolve-ambiguous",
  };
}

/** The same state, with another reason for a person's look. */
export function withReason(
  { state, reviewReason }: LedgerFacts,
  next: ReviewReason | null,
): Transition {
  return isSameReason(next, reviewReason)
    ? "nothing_new"
    : { to: state, change: { reviewReason: next } };
}

/** Nobody can find out what became of the attempt. A person who was asked to decide has been told enough. */
export function tellUnresolved(
  request: LedgerFacts,
  { attempt, code }: EventOf<"unresolved">,
): Transition {
  const { reviewReason } = request;
  if (request.attempt !== attempt) return "other_attempt";
  const next: ReviewReason = { code: "unresolved", detail: code };
  if (isSameReason(reviewReason, next) || (reviewReason && reviewReason.code !== "unresolved"))
    return "nothing_new";
  return {
    to: "ambiguous",
    change: { reviewReason: next },
    records: "scan_failed",
    detail: { attempt, code },
  };
}

/** A person is told once, unless they have been told of something else. */
export function tellMissingDocument(
  { state, reviewReason, cancellation }: LedgerFacts,
  { document, refusedHost }: EventOf<"document_missing">,
): Transition {
  if (isConfirmed(cancellation)) return "does_not_apply";
  const next: ReviewReason =
    refusedHost === null
      ? plainReason("document_missing")
      : { code: "document_refused", detail: refusedHost };
  if (isSameReason(reviewReason, next) || (reviewReason && !isOfDocuments(reviewReason)))
    return "nothing_new";
  return {
    to: state,
    change: { reviewReason: next },
    records: "document_missing",
    detail: { document, host: refusedHost },
  };
}

/**
 * Nothing is ordered for a child, nor with a date that was said to be another. Where a referral exists already, the rest of the
 * unit waits for a person; else for other details.
 */
export function takeBackForAge(request: LedgerFacts): Transition {
  if (isUnderAge(request)) return "nothing_new";
  return { ...endForAge(request), records: "under_age" };
}

const UNDER_AGE = plainReason("under_age");

export const isUnderAge = ({ reviewReason }: Pick<LedgerFacts, "reviewReason">): boolean =>
  isSameReason(reviewReason, UNDER_AGE);

/** Where a unit waits of which nothing, or one part, was ordered before the date became known. */
const endForAge = ({ missingPart }: LedgerFacts): Step => ({
  to: missingPart === null ? "awaiting_details" : "held",
  change: { reviewReason: UNDER_AGE },
});

/**
 * The order is under way: nobody can stop it, and the shop is told at once. A person who decides about it already is told by
 * the timeline.
 */
export function tellAge(request: LedgerFacts): Transition {
  if (isUnderAge(request)) return "nothing_new";
  const change = isLeftToPerson(request) ? {} : { reviewReason: UNDER_AGE };
  return { to: request.state, change, records: "under_age" };
}

/** An order that proves unsent goes on as `step` says, unless a child's date of birth was given meanwhile. */
export const unlessUnderAge = (request: LedgerFacts, { change, ...step }: Step): Step =>
  isUnderAge(request)
    ? { ...endForAge(request), change: { ...change, reviewReason: UNDER_AGE } }
    : { ...step, change };

/** Asks the invited patient for the details of a unit of which certainly nothing was sent. */
export function handOver({ missingPart }: LedgerFacts): Transition {
  return missingPart === null
    ? { to: "awaiting_details", change: { reviewReason: null } }
    : "does_not_apply";
}

/** Nothing is left that could be sent; what exists at the service stays there. */
export function forget(request: LedgerFacts): Transition {
  const { state, missingPart, cancellation } = request;
  if (isUnsent(request)) {
    const own = isConfirmed(cancellation) ? { ...cancellation, status: "done" as const } : null;
    return { to: "cancelled", change: { reviewReason: null, cancellation: own } };
  }
  if (missingPart === null || state === "cancelled")
    return { to: state, change: { reviewReason: null } };
  return { to: "created", change: { reviewReason: null, missingPart: null } };
}

/** Never for a unit that was given up. */
export function sendAgain({ cancellation }: LedgerFacts): Transition {
  if (cancellation !== null) return "does_not_apply";
  return {
    to: "ready",
    change: { reviewReason: null },
    records: "retry_asked",
    queues: "create-referral",
  };
}

export function wantAgain({ state, reviewReason }: LedgerFacts): Transition {
  const isToldOfRefund =
    reviewReason?.code === "refunded_after_sending" ||
    reviewReason?.code === "refunded_after_results";
  return {
    to: state,
    change: {
      cancellation: null,
      ...(isToldOfRefund ? { reviewReason: null } : {}),
    },
  };
}
