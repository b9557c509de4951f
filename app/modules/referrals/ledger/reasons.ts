import { ASKS_TO_KEEP } from "../form-closed.ts";
import { OTHER_PERSON, REFERRAL_OTHER_PERSON } from "../other-person.ts";
import { isCurrent, isGone } from "../referral-repository.ts";
import type { RequestChange } from "../request-repository.ts";
import { partOfReferral } from "../requests/referral-parts.ts";
import {
  isResultReason,
  isSameReason,
  plainReason,
  type ResultReason,
  type ReviewReason,
} from "../review-reason.ts";
import { ownReasonOf } from "../standing.ts";
import { attentionFor, isOfReferrals } from "../status.ts";
import { URGENT_HELD, URGENT_SHOWN } from "../urgency.ts";
import { isReported } from "../with-results.ts";
import type { EventOf } from "./events.ts";
import type { LedgerFacts, ReferralFacts, ResultFacts } from "./facts.ts";

/** Whether the service holds more than was asked for; one that stands in another's place is not more. */
export function hasDuplicate(referrals: readonly ReferralFacts[]): boolean {
  const parts = referrals.filter(isCurrent).map(partOfReferral);
  return new Set(parts).size < parts.length;
}

/** Whether every referral that was made has been deleted at the service. */
export const isNothingThere = (referrals: readonly ReferralFacts[]): boolean =>
  referrals.length > 0 && referrals.every(isGone);

/** Whether the laboratory has reported anything on it. */
export const isReportedAny = ({
  referrals,
  results,
}: Pick<LedgerFacts, "referrals" | "results">): boolean =>
  results.length > 0 || referrals.some(({ status }) => isReported({ resultUuid: null, status }));

/** Reasons that make room for the next once a person has dealt with them: nothing more is decided by them. */
const MAKES_ROOM: ReadonlySet<string> = new Set([
  "correction_refused",
  "duplicate_referral",
  "half_rejected",
  "under_age",
  "withdrawal_too_late",
  "bought_again",
  "unreadable_at_service",
  "document_missing",
  "document_refused",
  "other_tests",
  "result_deleted",
]);
const makesRoom = ({ code }: ReviewReason): boolean => MAKES_ROOM.has(code);

/** Whether nothing stands in the way of a new reason: there is none, or a person has dealt with it. */
export const hasRoom = ({
  reviewReason,
  handledReason,
}: Pick<LedgerFacts, "reviewReason" | "handledReason">): boolean =>
  reviewReason === null || (makesRoom(reviewReason) && isSameReason(handledReason, reviewReason));

/** Why a person is needed after a referral was read, unless the reason is one that no referral's state can end. */
export function reasonAfterReading(request: LedgerFacts): ReviewReason | null {
  const { reviewReason, referrals } = request;
  const isOfDuplicate = reviewReason?.code === "duplicate_referral";
  const hasTwo = hasDuplicate(referrals);
  if (hasTwo && !(isOfDuplicate && hasRoom(request))) return plainReason("duplicate_referral");
  const isOver =
    (isOfDuplicate && !hasTwo) ||
    (reviewReason?.code === "withdrawal_refused" && isNothingThere(referrals));
  if (reviewReason === null || isOfReferrals(reviewReason) || isOver)
    return attentionFor(referrals);
  return isOfDocuments(reviewReason) || hasRoom(request)
    ? (attentionFor(referrals) ?? reviewReason)
    : reviewReason;
}

/** Why a person is needed once a part of it, or the whole, was ordered again: the part that never was is still to be made. */
export const reasonAfterReplacing = ({
  reviewReason,
  referrals,
}: LedgerFacts): ReviewReason | null =>
  isOfMissingPart(reviewReason) ? reviewReason : attentionFor(referrals);

/** Reasons that a missing PDF gives. */
export const isOfDocuments = (reason: ReviewReason | null): boolean =>
  reason?.code === "document_missing" || reason?.code === "document_refused";

/** Reasons by which a person decides whether the part that is missing of a Medicare order is sent. */
export const isOfMissingPart = (reason: ReviewReason | null): boolean =>
  reason?.code === "half_rejected" || reason?.code === "half_created";

/** Reasons that a correction may mend. */
export const isEndedByCorrection = (reason: ReviewReason | null): boolean =>
  reason?.code === "correction_refused" || reason?.code === "under_age";

/** Why a person is needed once the details are right again. A part that is still to be made waits for them. */
export function reasonAfterCorrection({
  state,
  reviewReason,
  missingPart,
}: LedgerFacts): ReviewReason | null {
  if (reviewReason?.code === "under_age_unclear")
    return plainReason(missingPart === null ? "ambiguous" : "half_created");
  if (!isEndedByCorrection(reviewReason)) return reviewReason;
  return state === "created" && missingPart !== null ? plainReason("half_created") : null;
}

/** The change when a referral that named another person was ordered again. */
export const resultReasonAfterReplacing = ({
  resultReason,
  referrals,
}: Pick<LedgerFacts, "resultReason" | "referrals">): RequestChange =>
  resultReason === REFERRAL_OTHER_PERSON && !isAnyOfAnother(referrals)
    ? { resultReason: null }
    : {};

/** Whether a referral that counts names another person than the one it was ordered for. */
const isAnyOfAnother = (referrals: readonly ReferralFacts[]): boolean =>
  referrals.some((one) => one.otherPerson && isCurrent(one));

/**
 * Why somebody has to see to a result, after one was read or released. A referral's result waits for whose it is. A critical
 * one that its own patient can see comes before that: the rows tell again that another person is named, and nothing tells again that
 * nobody has rung yet.
 */
export function resultReasonAfter(
  { resultReason, results, referrals }: LedgerFacts,
  { hasUrgentHold, isShownNow, isCriticalShown }: Omit<EventOf<"results_read">, "kind">,
): ResultReason | null {
  const isToRing = isShownNow || resultReason === URGENT_SHOWN;
  if (isToRing && isCriticalShown) return URGENT_SHOWN;
  if (isAnyOfAnother(referrals)) return REFERRAL_OTHER_PERSON;
  if (results.some((one) => one.otherPerson && one.deletedAt === null)) return OTHER_PERSON;
  // A person ends it by marking it as handled, not a later fetch, and not another result that is held.
  const isShownStill = resultReason === URGENT_SHOWN && isAnyShown(results);
  if (isShownNow || isShownStill) return URGENT_SHOWN;
  return hasUrgentHold ? URGENT_HELD : null;
}

/** Why a person is needed besides, after a result was read or released. */
export function reasonAfterResults(request: LedgerFacts): ReviewReason | null {
  const { reviewReason, referrals, results } = request;
  // A unit that was refunded before it had results waits for a click no more: it is kept.
  if (reviewReason?.code === "refunded_after_sending") return plainReason("refunded_after_results");
  const isOfResults = reviewReason?.code === "result_deleted";
  if (!hasRoom(request) && !isOfResults && !isOfDocuments(reviewReason)) return reviewReason;
  if (isAnyLost(results)) return plainReason("result_deleted");
  return isOfResults ? attentionFor(referrals) : reviewReason;
}

const isAnyShown = (results: readonly ResultFacts[]): boolean =>
  results.some(({ releasedAt }) => releasedAt !== null);

/** Whether a reason is why a person is needed, whether or not somebody has dealt with it. */
const isWhy = (request: LedgerFacts, reason: ReviewReason): boolean =>
  request.resultReason === null && isSameReason(ownReasonOf({ ...request, request }), reason);

/** Whether a person may say that they have dealt with a reason. */
export const mayHandle = (request: LedgerFacts, reason: ReviewReason): boolean =>
  request.resultReason === reason.code || isWhy(request, reason);

/** The change when a person has dealt with a reason. Another may have waited behind it: it is told now. */
export function handle(request: LedgerFacts, reason: ReviewReason): RequestChange {
  if (!isResultReason(reason.code)) {
    const next = makesRoom(reason)
      ? reasonAfterReading({ ...request, handledReason: reason })
      : reason;
    return isSameReason(next, reason)
      ? { handledReason: reason }
      : { reviewReason: next, handledReason: null };
  }
  const own = ownReasonOf({ ...request, request });
  return { resultReason: null, ...(own === null ? { handledReason: reason } : {}) };
}

/** Whether what was dealt with can be brought back: a critical result for as long as it is shown. */
export const mayReopen = (request: LedgerFacts, reason: ReviewReason): boolean =>
  reason.code === URGENT_SHOWN
    ? request.resultReason === null && isAnyShown(request.results)
    : isSameReason(request.handledReason, reason) && isWhy(request, reason);

/** The change when a reason is brought back. A unit that a patient was let keep is decided about anew only by its own reason. */
export function reopen({ handledReason }: LedgerFacts, reason: ReviewReason): RequestChange {
  if (reason.code === URGENT_SHOWN)
    return {
      resultReason: URGENT_SHOWN,
      ...(isSameReason(handledReason, reason) ? { handledReason: null } : {}),
    };
  return { handledReason: null, ...(ASKS_TO_KEEP.has(reason.code) ? { kept: false } : {}) };
}

/** Whether the service took back the only result of a referral. */
function isAnyLost(results: readonly ResultFacts[]): boolean {
  const standing = new Set(
    results.filter((one) => one.deletedAt === null).map((one) => one.referralUuid),
  );
  return results.some(({ referralUuid }) => !standing.has(referralUuid));
}
