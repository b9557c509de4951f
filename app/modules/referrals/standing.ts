import {
  isCurrent,
  isHeld,
  type StoredReferral,
  type StoredResult,
} from "./referral-repository.ts";
import type { ReferralRequest } from "./request.ts";
import {
  isResultReason,
  isSameReason,
  plainReason,
  type ResultReason,
  type ReviewReason,
} from "./review-reason.ts";
import type { Stage } from "./stage.ts";

/** The facts that decide where a request stands: its row, and what the service holds of it. */
export interface StageFacts {
  request: Pick<
    ReferralRequest,
    | "state"
    | "resultReason"
    | "reviewReason"
    | "handledReason"
    | "replacedBy"
    | "missingPart"
    | "mailRefusedAt"
    | "underAge"
  >;
  referrals: readonly Pick<StoredReferral, "status" | "deletedAt" | "replacedBy">[];
  results: readonly (Pick<StoredResult, "releasedAt" | "inReview" | "deletedAt"> &
    Partial<Pick<StoredResult, "otherPerson">>)[];
}

/** Where a request stands, as it is stored on its row: every list of the admin is a walk along these columns. */
export interface Standing {
  stage: Stage;
  /** Why a person is needed, unless it was handled. */
  reason: ReviewReason | null;
  /** The handled reason, for as long as it is why a person would be needed. */
  handledReason: ReviewReason | null;
}

/** Where a request stands: the stage that lists it, the reason that names it there, and whether that was dealt with. */
export function standingOf(facts: StageFacts): Standing {
  return {
    stage: stageOf(facts),
    reason: reasonOf(facts),
    handledReason: isStillHandled(facts) ? facts.request.handledReason : null,
  };
}

/** A result's reason is over once it was handled: it is named until anything else needs somebody. */
function isStillHandled(facts: StageFacts): boolean {
  const { handledReason } = facts.request;
  const own = ownReasonOf(facts);
  if (!isResultReason(handledReason?.code ?? null)) return isSameReason(handledReason, own);
  return own === null && resultReasonOf(facts) === null;
}

/** Why a person is needed: null when nobody is, or when the reason was handled. */
export function reasonOf(facts: StageFacts): ReviewReason | null {
  const first = resultReasonOf(facts);
  if (first) return plainReason(first);
  const own = ownReasonOf(facts);
  return isSameReason(own, facts.request.handledReason) ? null : own;
}

/** Why a person is needed by its results first of all. A cancelled request has none: a result that comes opens it again. */
const resultReasonOf = ({ request }: StageFacts): ResultReason | null =>
  request.state === "cancelled" ? null : request.resultReason;

/** Why a person is needed by all but the results that come first, whether or not somebody has dealt with it. */
export function ownReasonOf({ request, results }: StageFacts): ReviewReason | null {
  const { state, reviewReason, replacedBy, mailRefusedAt, underAge } = request;
  // The money of a unit whose patient had everything deleted is still to be given back.
  if (state === "cancelled")
    return reviewReason?.code === "consent_withdrawn" ? reviewReason : null;
  if (reviewReason !== null) return reviewReason;
  if (replacedBy !== null && state !== "created") return null;
  if (state === "held" || state === "rejected") return plainReason(state);
  if (state === "created" && results.some(isHeld)) return plainReason("results_held");
  if (underAge && replacedBy === null) return plainReason("under_age");
  // The last of all: every other reason says more, and is told with the phone number as well.
  return mailRefusedAt === null ? null : plainReason("mail_refused");
}

/** Only what is `created` is sorted by its referrals and results. */
export function stageOf(facts: StageFacts): Stage {
  const { state } = facts.request;
  if (reasonOf(facts) !== null) return "attention";
  if (state === "cancelled") return "cancelled";
  // Refused and settled in some other way: nothing will come of it.
  if (state === "rejected") return "cancelled";
  if (state === "awaiting_details") return "awaiting_details";
  const current = facts.referrals.filter(isCurrent);
  // Ordered again as a whole: what becomes of it is told by the next generation.
  const { replacedBy, missingPart } = facts.request;
  const isWhole = state === "created" ? current.length === 0 : missingPart === null;
  if (replacedBy !== null && isWhole) return "cancelled";
  const isComplete =
    state === "created" &&
    current.length > 0 &&
    current.every((referral) => referral.status === "COMPLETE");
  return isComplete ? "results_ready" : "in_progress";
}
