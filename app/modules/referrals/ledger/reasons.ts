import { ASKS_TO_KEEP } from "../form-closed.ts";
import { OTHER_PERSON } from "../other-person.ts";
import { isCurrent } from "../referral-repository.ts";
import type { RequestChange } from "../request-repository.ts";
import { partOfReferral } from "../requests/referral-parts.ts";
import { isSameReason, plainReason, type ReviewReason } from "../review-reason.ts";
import { unhandledReasonOf } from "../standing.ts";
import { attentionFor, isOfReferrals } from "../status.ts";
import { URGENT_HELD, URGENT_SHOWN } from "../urgency.ts";
import type { LedgerFacts, ReferralFacts, ResultFacts } from "./facts.ts";

/** Whether the service holds more than was asked for; one that stands in another's place is not more. */
export function hasDuplicate(referrals: readonly ReferralFacts[]): boolean {
  const parts = referrals.filter(isCurrent).map(partOfReferral);
  return new Set(parts).size < parts.length;
}

/** Whether every referral that was made has been deleted at the service. */
export const isNothingThere = (referrals: readonly ReferralFacts[]): boolean =>
  attentionFor(referrals)?.code === "deleted_at_service";

/** Why a person is needed after a referral was read, unless the reason is one that no referral's state can end. */
export function reasonAfterReading({ reviewReason, referrals }: LedgerFacts): ReviewReason | null {
  if (comesFirst(reviewReason)) return reviewReason;
  if (hasDuplicate(referrals)) return plainReason("duplicate_referral");
  const isOver =
    reviewReason?.code === "duplicate_referral" ||
    (reviewReason?.code === "withdrawal_refused" && isNothingThere(referrals));
  if (isOfDocuments(reviewReason)) return attentionFor(referrals) ?? reviewReason;
  return reviewReason === null || isOfReferrals(reviewReason) || isOver
    ? attentionFor(referrals)
    : reviewReason;
}

/** Reasons that a missing PDF gives. Those of results come first: somebody's health is in them. */
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

/** Reasons that results give, and that only results end. */
const OF_RESULTS: ReadonlySet<string> = new Set([
  "result_deleted",
  OTHER_PERSON,
  URGENT_HELD,
  URGENT_SHOWN,
]);

/** Why a person is needed after a result was read or released. */
export function reasonAfterResults(
  request: LedgerFacts,
  { hasUrgentHold, isShownNow }: { hasUrgentHold: boolean; isShownNow: boolean },
): ReviewReason | null {
  const { reviewReason, results } = request;
  // Before every other reason: somebody's health is in the wrong place, or cannot wait.
  if (results.some((one) => one.otherPerson && one.deletedAt === null))
    return plainReason(OTHER_PERSON);
  if (givesWay(request)) {
    if (hasUrgentHold) return plainReason(URGENT_HELD);
    if (isShownNow) return plainReason(URGENT_SHOWN);
  }
  // A unit that was refunded before it had results waits for a click no more: it is kept.
  if (reviewReason?.code === "refunded_after_sending") return plainReason("refunded_after_results");
  const isOther = reviewReason !== null && !OF_RESULTS.has(reviewReason.code);
  if (isOther && !isOfDocuments(reviewReason)) return reviewReason;
  if (isAnyLost(results)) return plainReason("result_deleted");
  if (hasUrgentHold) return plainReason(URGENT_HELD);
  // A person ends it by marking it as handled, not a later fetch.
  const isShownStill =
    reviewReason?.code === URGENT_SHOWN && results.some(({ releasedAt }) => releasedAt !== null);
  if (isShownNow || isShownStill) return plainReason(URGENT_SHOWN);
  if (isOther) return reviewReason;
  // It may have stood before another reason.
  return reviewReason === null ? null : reasonBehindResults(request);
}

/** Whether a critical result may stand in the reason's place. A part that is still to be ordered hangs on its own. */
const givesWay = ({ state, reviewReason }: LedgerFacts): boolean =>
  state === "created" && !isOfMissingPart(reviewReason);

/** Reasons of results before which no refund stands. */
const COMES_FIRST: ReadonlySet<string> = new Set([OTHER_PERSON, URGENT_HELD, URGENT_SHOWN]);
export const comesFirst = (reason: ReviewReason | null): boolean =>
  COMES_FIRST.has(reason?.code ?? "");

/** Why a person is needed besides what the results say: by the store, the referrals or the date of birth. */
function reasonBehindResults({
  cancellation,
  kept,
  referrals,
  underAge,
}: LedgerFacts): ReviewReason | null {
  if (cancellation?.requestedBy === "store" && cancellation.status === "requested" && !kept)
    return plainReason("refunded_after_results");
  if (hasDuplicate(referrals)) return plainReason("duplicate_referral");
  return attentionFor(referrals) ?? (underAge ? plainReason("under_age") : null);
}

/** Whether what was dealt with can be brought back. */
export function mayReopen(request: LedgerFacts, reason: ReviewReason): boolean {
  const isHandled =
    isSameReason(request.handledReason, reason) &&
    isSameReason(unhandledReasonOf({ ...request, request }), reason);
  return isHandled || isBehindAnother(request, reason);
}

/** Whether a critical result that was shown and dealt with has made room for another reason. */
const isBehindAnother = (request: LedgerFacts, reason: ReviewReason): boolean =>
  reason.code === URGENT_SHOWN &&
  givesWay(request) &&
  !comesFirst(request.reviewReason) &&
  request.results.some(({ releasedAt }) => releasedAt !== null);

/** The change when a reason is brought back. A unit that a patient was let keep is decided about anew only by its own reason. */
export function reopen(request: LedgerFacts, reason: ReviewReason): RequestChange {
  if (isBehindAnother(request, reason)) return { reviewReason: reason, handledReason: null };
  return { handledReason: null, ...(ASKS_TO_KEEP.has(reason.code) ? { kept: false } : {}) };
}

/**
 * The change when a person has dealt with a reason. Behind a critical result that was shown, another may have waited: it is told
 * now.
 */
export function afterHandled(request: LedgerFacts, reason: ReviewReason): RequestChange {
  const next = reason.code === URGENT_SHOWN ? reasonBehindResults(request) : null;
  return next ? { reviewReason: next, handledReason: null } : { handledReason: reason };
}

/** Whether the service took back the only result of a referral. */
function isAnyLost(results: readonly ResultFacts[]): boolean {
  const standing = new Set(
    results.filter((one) => one.deletedAt === null).map((one) => one.referralUuid),
  );
  return results.some(({ referralUuid }) => !standing.has(referralUuid));
}
