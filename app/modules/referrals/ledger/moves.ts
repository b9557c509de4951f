/** Long because each move of the table that depends on more than the state stands here. */
import { isConfirmed } from "../cancellation.ts";
import { isHeldForRisk, type OrderRisk, RISK_REASONS } from "../order-risk.ts";
import { isLeftToPerson, isUnsent } from "../request.ts";
import { isSameReason, plainReason, type ReviewReason } from "../review-reason.ts";
import { attentionFor } from "../status.ts";
import type { EventOf, LedgerEvent, Step, Transition } from "./events.ts";
import type { Attempt, LedgerFacts } from "./facts.ts";
import {
  hasDuplicate,
  hasRoom,
  isEndedByCorrection,
  isOfDocuments,
  isOfMissingPart,
  isReportedAny,
  reasonAfterCorrection,
} from "./reasons.ts";

/** The move to `held` because of Shopify's assessment of the order. */
export const holdForRisk = (risk: Exclude<OrderRisk, "clear">): Step => ({
  to: "held",
  change: { reviewReason: plainReason(RISK_REASONS[risk]) },
  records: "risk_held",
  detail: { risk },
});

/** Details were given, for the first time or instead of those before. */
export function takeDetails(
  request: LedgerFacts,
  { isHeldByShop }: EventOf<"details_given">,
): Transition {
  // One of its referrals exists, with the details it was ordered with.
  if (request.missingPart !== null) return "does_not_apply";
  const isHeld = isHeldByShop || isLeftByPerson(request);
  return {
    to: isHeld ? "held" : "ready",
    change: { reviewReason: null, underAge: false },
    records: request.hasPatient ? "details_corrected" : "details_given",
    ...(isHeld ? {} : { queues: "create-referral" }),
  };
}

/**
 * Somebody of the shop holds it, or has settled by hand what kept it from being sent: it may have been ordered elsewhere. Other
 * details send neither, until somebody releases it. What Shopify's assessment holds is assessed again before it is sent.
 */
function isLeftByPerson(request: LedgerFacts): boolean {
  const { state, reviewReason, handledReason } = request;
  if (state === "held") return !isHeldForRisk(request);
  const isRefused = state === "rejected" || state === "ready";
  return isRefused && reviewReason !== null && isSameReason(handledReason, reviewReason);
}

/** Ledger rule 2: the attempt, with its number and deadline, stands on the row before a byte leaves. */
export function claim(
  request: LedgerFacts,
  { at, deadlineAt, recoveryLowerBound }: EventOf<"claimed">,
): Transition {
  if (isUnderAge(request)) return "does_not_apply";
  return {
    to: "sending",
    change: {
      // Refused as before, it is no news: whoever was told, or has dealt with it, is not told again.
      reviewReason: isNotSent(request) ? request.reviewReason : null,
      attempt: request.attempt + 1,
      attemptStartedAt: request.attemptStartedAt ?? at,
      attemptDeadlineAt: deadlineAt,
      recoveryLowerBound,
      emptyScans: 0,
    },
  };
}

const isNotSent = ({ reviewReason }: LedgerFacts): boolean => reviewReason?.code === "not_sent";

/** Nobody knows what became of the latest attempt: it may have been let in that was refused before. */
export const loseSight = (request: LedgerFacts): Step => ({
  to: "ambiguous",
  change: isNotSent(request) ? { reviewReason: null } : {},
});

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
      reviewReason: isUnderAge(request) ? UNDER_AGE : null,
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

/** One of two referrals is missing: it is looked for in the service's list before it is sent alone (interface §4.2). */
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

/**
 * Leaves an attempt to a person whom the scans could not help. Where a child's date of birth was given since, the item says so
 * as well.
 */
export function leaveToPerson(request: LedgerFacts): ReviewReason {
  if (isUnderAge(request)) return UNCLEAR_AND_UNDER_AGE;
  return plainReason(request.missingPart ? "half_created" : "ambiguous");
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
  request: LedgerFacts,
  { document, refusedHost }: EventOf<"document_missing">,
): Transition {
  const { state, reviewReason, cancellation } = request;
  if (isConfirmed(cancellation)) return "does_not_apply";
  const next: ReviewReason =
    refusedHost === null
      ? plainReason("document_missing")
      : { code: "document_refused", detail: refusedHost };
  const isTaken = !hasRoom(request) && !isOfDocuments(reviewReason);
  if (isTaken || isSameReason(reviewReason, next)) return "nothing_new";
  return {
    to: state,
    change: { reviewReason: next },
    records: "document_missing",
    detail: { document, host: refusedHost },
  };
}

/** A person is told once, unless they have been told of something else. It ends by a reading of the tests that were ordered. */
export function tellOtherTests(
  request: LedgerFacts,
  { uuid, areOthers }: EventOf<"tests_read">,
): Transition {
  const { state, reviewReason, cancellation, referrals } = request;
  const isTold = reviewReason?.code === "other_tests";
  if (!areOthers) return isTold ? withReason(request, attentionFor(referrals)) : "nothing_new";
  if (isConfirmed(cancellation)) return "does_not_apply";
  if (isTold || !hasRoom(request)) return "nothing_new";
  return {
    to: state,
    change: { reviewReason: plainReason("other_tests") },
    records: "referral_other_tests",
    detail: { uuid },
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
const UNCLEAR_AND_UNDER_AGE = plainReason("under_age_unclear");

/** An earlier version knew it by the reason alone. */
export const isUnderAge = ({
  underAge,
  reviewReason,
}: Pick<LedgerFacts, "underAge" | "reviewReason">): boolean =>
  underAge || isSameReason(reviewReason, UNDER_AGE);

/**
 * Where a unit waits of which nothing, or one part, was ordered before the date became known: for other details, or for a
 * correction of what that part was ordered with.
 */
const endForAge = ({ missingPart }: LedgerFacts): Step => ({
  to: missingPart === null ? "awaiting_details" : "created",
  change: { reviewReason: UNDER_AGE, underAge: true },
});

/** The order is under way: nobody can stop it, and the shop is told at once. */
export function tellAge(request: LedgerFacts): Transition {
  if (isUnderAge(request)) return "nothing_new";
  const reviewReason = isLeftToPerson(request) ? UNCLEAR_AND_UNDER_AGE : UNDER_AGE;
  return { to: request.state, change: { reviewReason, underAge: true }, records: "under_age" };
}

/**
 * The form may be used, so that a person decides. Another reason comes first, and this one is shown when that ends. A part
 * that was refused is not sent with the other date either.
 */
export function tellAgeOfOrdered(request: LedgerFacts): Transition {
  if (request.underAge) return "nothing_new";
  const { reviewReason } = request;
  const isShown =
    reviewReason === null || isEndedByCorrection(reviewReason) || isOfMissingPart(reviewReason);
  return {
    to: "created",
    change: { underAge: true, ...(isShown ? { reviewReason: UNDER_AGE } : {}) },
    records: "under_age",
  };
}

/** Takes back that a child's date was given: what it was ordered with was given again, or other details are. */
export const confirmDetails = (request: LedgerFacts): Transition =>
  isUnderAge(request)
    ? {
        to: request.state,
        change: { reviewReason: reasonAfterCorrection(request), underAge: false },
        records: "details_given",
      }
    : "nothing_new";

/** A unit that would be sent goes on as `step` says, unless a child's date of birth was given meanwhile. */
export function unlessUnderAge(request: LedgerFacts, step: Step): Step {
  if (!isUnderAge(request)) return step;
  const { to, change } = endForAge(request);
  return { to, change: { ...step.change, ...change } };
}

/** Asks the invited patient for the details of a unit of which certainly nothing was sent. */
export function handOver({ missingPart }: LedgerFacts): Transition {
  return missingPart === null
    ? { to: "awaiting_details", change: { reviewReason: null, underAge: false } }
    : "does_not_apply";
}

/** Nothing is left that could be sent; what exists at the service stays there. */
export function forget(request: LedgerFacts): Transition {
  const { state, missingPart, cancellation } = request;
  if (isUnsent(request)) {
    const own = isConfirmed(cancellation) ? { ...cancellation, status: "done" as const } : null;
    return {
      to: "cancelled",
      change: { resultReason: null, reviewReason: null, underAge: false, cancellation: own },
    };
  }
  const change = { resultReason: null, reviewReason: null, underAge: false };
  if (missingPart === null || state === "cancelled") return { to: state, change };
  return { to: "created", change: { ...change, missingPart: null } };
}

/** Never for a unit that was cancelled. After a child's date of birth, it waits for other details. */
export function sendAgain(request: LedgerFacts): Transition {
  if (request.cancellation !== null) return "does_not_apply";
  if (isUnderAge(request)) return { ...endForAge(request), records: "retry_under_age" };
  return {
    to: "ready",
    change: { reviewReason: null },
    records: "retry_asked",
    queues: "create-referral",
  };
}

/** A refused request that was ordered again is over: its unit has a referral by the next generation, and a second one would be charged. */
export const unlessReplaced =
  <Event extends LedgerEvent>(move: (request: LedgerFacts, event: Event) => Transition) =>
  (request: LedgerFacts, event: Event): Transition =>
    request.replacedBy === null ? move(request, event) : "does_not_apply";

/** Reasons that tell staff of a unit that the store took back. */
const TELLS_OF_REFUND: ReadonlySet<string> = new Set([
  "refunded_after_sending",
  "refunded_after_results",
  "withdrawal_refused",
]);

/**
 * The store has the unit bought again: nothing of a cancellation is left to decide. Nobody can tell of a unit with results, or of one that
 * its patient was let keep, whether the refund was taken back, or another test was bought: a person says so, and nothing is ordered
 * by itself.
 */
export function wantAgain(request: LedgerFacts): Transition {
  const { state, reviewReason, cancellation } = request;
  const isStores = cancellation?.requestedBy === "store";
  const isToldOfRefund =
    cancellation?.requestedBy !== "staff" && TELLS_OF_REFUND.has(reviewReason?.code ?? "");
  const ended = { cancellation: null, kept: false };
  const isDone = isReportedAny(request) || request.kept;
  if (isStores && isDone && (reviewReason === null || isToldOfRefund))
    return {
      to: state,
      change: { ...ended, reviewReason: plainReason("bought_again"), handledReason: null },
    };
  return { to: state, change: { ...ended, ...(isToldOfRefund ? { reviewReason: null } : {}) } };
}
