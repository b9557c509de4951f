import type { DescribeFailure } from "../kernel/words.ts";
import { isConfirmed } from "../referrals/cancellation.ts";
import type { RequestFacts } from "../referrals/customer-view.ts";
import { ASKS_TO_KEEP, isFormClosed } from "../referrals/form-closed.ts";
import { isCurrent, isHeld } from "../referrals/referral-repository.ts";
import { reorderableParts } from "../referrals/reorderable-parts.ts";
import type { RequestState } from "../referrals/request.ts";
import { plainReason, type ReviewReason, reasonKey } from "../referrals/review-reason.ts";
import { ownReasonOf } from "../referrals/standing.ts";
import { describeStatus, leastFinished, type StatusWords } from "../referrals/status-words.ts";
import { describeItem } from "./attention-words.ts";

const STATE_WORDS: Record<Exclude<RequestState, "created">, StatusWords> = {
  awaiting_details: {
    name: "Awaiting details",
    tone: "attention",
    sentence: "Waiting for patient details.",
    nextStep:
      "Nothing to do: Pathway asks the customer by email. The form is on the order’s page in their account.",
  },
  ready: {
    name: "Ready to send",
    tone: "info",
    sentence: "The patient’s details are complete.",
    nextStep: "Nothing to do: Pathway sends it by itself.",
  },
  held: {
    name: "Held for review",
    tone: "warning",
    sentence: "Held for review: nothing is sent before it’s released.",
    nextStep: "Check the order, then release it.",
  },
  sending: {
    name: "Being sent",
    tone: "info",
    sentence: "The service is being asked to create the referral.",
    nextStep: "Nothing to do: this can take a minute or two.",
  },
  ambiguous: {
    name: "Being checked",
    tone: "attention",
    sentence: "The service’s answer got lost, so it isn’t certain whether the referral exists.",
    nextStep:
      "Nothing to do: Pathway looks through the service’s list first, so that nothing is ordered twice.",
  },
  rejected: {
    name: "Rejected",
    tone: "critical",
    sentence: "The service refused the order. Nothing was created or charged.",
    nextStep: "Correct what it names, then retry.",
  },
  cancelled: {
    name: "Cancelled",
    tone: undefined,
    sentence: "Refunded, removed or cancelled: nothing of it is left at the service.",
    nextStep: "Nothing to do.",
  },
};

/** The same where the buyer let the patient give them. */
const AWAITING_PATIENT: StatusWords = {
  ...STATE_WORDS.awaiting_details,
  nextStep: "Nothing to do: Pathway emails the patient a link of their own. The form is behind it.",
};

/** The same where the buyer has no account in the store. */
const AWAITING_GUEST: StatusWords = {
  ...STATE_WORDS.awaiting_details,
  nextStep:
    "Nothing to do: Pathway asks the customer by email. The form is behind the link in the email.",
};

/** The service says that a form is there, and it can't be opened yet. */
const FETCHING_FORM: StatusWords = {
  name: "Form being fetched",
  tone: "info",
  sentence: "The service has issued the form, and Pathway doesn’t have it yet.",
  nextStep: "Nothing to do: Pathway keeps asking for it, and the patient gets it then.",
};

const WITHDRAWING: StatusWords = {
  name: "Being deleted",
  tone: "attention",
  sentence: "The referral is being deleted at the service.",
  nextStep: "Nothing to do: Pathway goes on until the service confirms it.",
};

/** A request whose unit was ordered again as a whole. */
export const REPLACED: StatusWords = {
  name: "Ordered again",
  tone: undefined,
  sentence: "This was ordered again, and the replacement takes its place.",
  nextStep: "Nothing to do: see the replacement below.",
};

/** A request whose data was destroyed after its referral was made. Nothing that comes is stored, so nothing of it goes on here. */
export const ERASED: StatusWords = {
  name: "Erased",
  tone: undefined,
  sentence:
    "Details, form and results of this test are deleted. Later reports of the laboratory aren’t stored.",
  nextStep: "Nothing to do.",
};

const WITHDRAWN: StatusWords = {
  name: "Deleted at the service",
  tone: "warning",
  sentence: "The referral was deleted at the service. Its form must not be used.",
  nextStep: "Nothing to do, unless it was deleted by mistake.",
};

/** Its patient was told not to use the form, and counts as nobody whose form is ready. */
const FORM_CLOSED: StatusWords = {
  name: "Form closed",
  tone: "warning",
  sentence: "The store took this test back, and its patient is told not to use the form.",
  nextStep: "Decide whether the test goes ahead.",
};

/** Its patient was told to wait for the new form, and counts as nobody whose form is ready. */
const CORRECTION_WAITS: StatusWords = {
  name: "Form being corrected",
  tone: "info",
  sentence: "Corrected details wait to be passed on to the service. The old form is closed.",
  nextStep:
    "Nothing to do: Pathway passes them on by itself, and the new form replaces the old one.",
};

const HELD_RESULTS: StatusWords = {
  name: "Results held",
  tone: "attention",
  sentence: "Results have arrived and are not shown to the patient yet.",
  nextStep: "Your release policy holds them. Have a practitioner look at them, then release them.",
};

const RESULTS_IN_REVIEW: StatusWords = {
  name: "Results in review",
  tone: "info",
  sentence: "The service holds the results for review by your organisation.",
  nextStep: "Finish the review in the service. The patient then sees the results.",
};

/** A unit waits for details, and there is nobody to ask for them. */
const NOBODY_TO_ASK = {
  sentence: "Waiting for patient details, and nobody was asked: the order names no customer.",
  nextStep: "Add the customer, or their email address, to the order in Shopify.",
};

/**
 * Where one request stands, in words for staff: no health data. A reason for attention speaks first. `isReachable`: whether the order
 * names somebody who can be asked for the details (`isReachable`).
 */
export function describeRequest(
  facts: WordedFacts,
  describeFailure: DescribeFailure,
  { isReachable = true }: { isReachable?: boolean } = {},
): StatusWords {
  const { state, owner } = facts.request;
  const words = describeKnown(facts, describeFailure);
  const isUnasked = state === "awaiting_details" && owner === "buyer" && !isReachable;
  return isUnasked ? { ...words, ...NOBODY_TO_ASK } : words;
}

function describeKnown(facts: WordedFacts, describeFailure: DescribeFailure): StatusWords {
  const { request } = facts;
  const words = stateWords(facts);
  const { state, resultReason, kept } = request;
  const reason = resultReason ? plainReason(resultReason) : (request.reviewReason ?? unsaid(facts));
  // Its patient was let keep it: what was asked is decided.
  if (!reason || (kept && ASKS_TO_KEEP.has(reason.code))) return words;
  // Only its money is still to be given back.
  if (state === "cancelled" && reason.code !== "consent_withdrawn") return words;
  const tone = words.tone === "critical" ? "critical" : "warning";
  const isLost = reason.code === "mail_refused" && facts.isPatientLost;
  const attention = describeItem({ reason, undelivered: isLost ? "lost" : null }, describeFailure);
  const isOrderedAgain =
    request.replacedBy !== null &&
    ASKS_TO_ORDER_AGAIN.has(reasonKey(reason)) &&
    reorderableParts(facts).length === 0;
  return { ...words, tone, ...attention, ...(isOrderedAgain ? { nextStep: ORDERED_AGAIN } : {}) };
}

/** Reasons that no state's own words tell: of the others, `held` for example, the state does. */
const UNSAID: ReadonlySet<string> = new Set(["mail_refused", "under_age"]);

/** Why somebody is needed by what stands beside the request's state. */
function unsaid(facts: WordedFacts): ReviewReason | null {
  const reason = ownReasonOf(facts);
  return reason && UNSAID.has(reason.code) ? reason : null;
}

/** Reasons whose next step is to order again. */
const ASKS_TO_ORDER_AGAIN: ReadonlySet<string> = new Set([
  "deleted_at_service",
  "referral:FAILED_TEST",
  "referral:INSUFFICIENT_DATA",
  "referral:BILLING_FAILED",
]);

/** The failed part stands beside its replacement: a referral that the service made late. */
const ORDERED_AGAIN =
  "It was ordered again already: see the replacement below. Then mark this as handled in Needs attention.";

/** `documents`: left out, nothing is said of them. */
type WordedFacts = Pick<RequestFacts, "request" | "referrals" | "results"> &
  Partial<Pick<RequestFacts, "documents" | "orderedAgain" | "isCorrecting" | "isPatientLost">>;

function stateWords(facts: WordedFacts) {
  const { state, replacedBy, cancellation, owner, customerId, redactedAt } = facts.request;
  const hasCurrent = state === "created" && facts.referrals.some(isCurrent);
  if (replacedBy !== null && !hasCurrent) return REPLACED;
  if (state === "awaiting_details" && owner === "patient") return AWAITING_PATIENT;
  if (state === "awaiting_details" && customerId === null) return AWAITING_GUEST;
  if (state !== "created") return STATE_WORDS[state];
  if (isConfirmed(cancellation)) return WITHDRAWING;
  return redactedAt === null ? createdWords(facts) : ERASED;
}

function createdWords({ request, referrals, results, documents, isCorrecting }: WordedFacts) {
  const current = referrals.filter(isCurrent);
  const status = leastFinished(current.map((referral) => referral.status));
  if (status === undefined) return referrals.length > 0 ? WITHDRAWN : describeStatus("CREATED");
  const isReported = status === "COMPLETE" || status === "PARTIAL_RESULTS";
  // A result is read before its referral's status is, and the other referral of two may be waiting still.
  const isOnItsWay = status === "CREATED" || status === "ISSUED" || isReported;
  if (isOnItsWay && results.some(isHeld)) return HELD_RESULTS;
  const isReviewed = results.some(({ inReview, deletedAt }) => inReview && deletedAt === null);
  if (isReported && isReviewed) return RESULTS_IN_REVIEW;
  if (status === "ISSUED" && isFormClosed(request)) return FORM_CLOSED;
  if (status === "ISSUED" && isCorrecting) return CORRECTION_WAITS;
  // Nothing is fetched any more of one whose data was deleted.
  if (!request.hasPatient || !documents) return describeStatus(status);
  const issued = current.filter((one) => one.status === "ISSUED").map(({ uuid }) => uuid);
  const isMissing = issued.some((uuid) => !documents.some((one) => one.sourceUuid === uuid));
  return status === "ISSUED" && isMissing ? FETCHING_FORM : describeStatus(status);
}
