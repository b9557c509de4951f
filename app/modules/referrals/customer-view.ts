/** Long because the words of each state stand beside the rules by which they are chosen. */
import type { ClinicalContact } from "../shops/shop.ts";
import { isConfirmed } from "./cancellation.ts";
import { CLINICAL_TEXTS } from "./clinical-texts.ts";
import type { Document } from "./document.ts";
import { isFormClosed, isRefusedToStore } from "./form-closed.ts";
import { isCurrent, type StoredReferral, type StoredResult } from "./referral-repository.ts";
import type { ReferralPart, ReferralRequest } from "./request.ts";
import { formIsOff, isAnyPartGone } from "./status.ts";
import { describeStatus, leastFinished } from "./status-words.ts";
import { URGENT_SHOWN } from "./urgency.ts";
import { isReported } from "./with-results.ts";

/** Where a test stands, in the words of the shopper's account (sandbox.md, section 4). */
export const CUSTOMER_STATES = [
  "awaiting_details",
  "being_prepared",
  "form_ready",
  "partial_results",
  "results_ready",
  "in_review",
  // The owner of the test withdrew their consent.
  "results_hidden",
  "cancelled",
  "needs_support",
  // For the buyer of a unit that is its patient's: nothing else is told.
  "handed_over",
] as const;
export type CustomerState = (typeof CUSTOMER_STATES)[number];

export interface RequestFacts {
  request: ReferralRequest;
  referrals: StoredReferral[];
  results: StoredResult[];
  documents: Document[];
  /** The parts of it that were ordered again. Left out: not known, so that none counts as still to be ordered again. */
  orderedAgain?: readonly ReferralPart[];
  /** Held results about which the owner is asked to ring today, and whom. Left out: none. */
  toRing?: { uuids: ReadonlySet<string>; contact: ClinicalContact | null };
  /** Whether its owner is told that it can't be ordered yet (tell-delayed.ts). Left out: not. */
  isDelayed?: boolean;
  /** Whether it is an invited patient's whose address was lost with a database. Left out: not known, for staff alone. */
  isPatientLost?: boolean;
  /** Whether a saved correction has not reached a referral whose form was issued. Left out: not known, for staff alone. */
  isCorrecting?: boolean;
  /** Results that can be opened and are critical, where one is to be opened today. Left out: not known, so that each may be. */
  critical?: ReadonlySet<string>;
}

const SOME_READY = "Some results are ready.";
const REST_FOLLOWS = "We’ll email you about the rest.";
const PREPARING = "We are preparing the referral form.";

/** The customer's next step, for each state. Plain words, no clinical content. */
export const NEXT_STEPS: Record<CustomerState, string> = {
  awaiting_details: "Enter the patient's details so that we can prepare the referral form.",
  being_prepared: `${PREPARING} You don’t need to do anything.`,
  form_ready: "Open the referral form and take it to a collection centre.",
  partial_results: `${SOME_READY} ${REST_FOLLOWS}`,
  results_ready: "Your results are ready.",
  in_review: "The results are being reviewed. We’ll email you when you can see them.",
  results_hidden:
    "You withdrew your consent, so nobody can open the results. You can show them again, or have them deleted.",
  cancelled:
    "This test was cancelled. If you have its form, please throw it away. If a refund is due, it goes to the person who paid.",
  needs_support:
    "Something needs our attention before this test can go on. The shop can see this. If you hear nothing, or would rather not wait, contact the shop.",
  handed_over: "We sent this test to the patient.",
};

/** The same for an invited patient, who gives their own. */
const ENTER_YOURS = "Enter your details so that we can prepare the referral form.";

/** The same where the date of birth was refused: no details of that person help, and no reminder asks for them (waiting-units.ts). */
const UNDER_AGE =
  "The date of birth given last is under the shop’s minimum age. If it is right, we can’t order this test: contact the shop to cancel and refund it, and see a GP about the health concern. If it isn’t, enter the right details.";

/** The same where the owner is told by email that the unit is not ordered after a day (tell-delayed.ts). */
const DELAYED =
  "We can’t go on with this test yet, because we have to look into something first. You don’t need to do anything now: we will email you when there is news. If you would rather not wait, contact the shop.";

/** The same while staff decide about a unit that the store took back. */
const WAITS_FOR_SHOP =
  "This test was refunded or removed from the order. Please don’t use its form for now: the shop is deciding whether the test goes ahead. We will email you. If you asked for this, you don’t need to do anything. If you didn’t expect it, contact the shop.";

/** The same while the referral of a cancelled unit is being deleted. */
const BEING_CANCELLED =
  "This test is being cancelled. Please don’t use its form. If you have it, throw it away. If a refund is due, it goes to the person who paid.";

/** The same of results that came before their test was ordered again. */
const BEFORE_REPLACEMENT =
  "These results came before the test was ordered again. No more results come of the earlier order. See the replacement.";

/** The same where a referral was deleted at the service, and nobody has decided what comes next. */
const FORM_GONE =
  "The form of this test is not valid any more. If you have it, throw it away. The test is not cancelled: the shop is looking into it, and we will email you. If you have given a sample already, contact the shop.";

/** The same where the service took back the results that had come, and no others are here. */
const TAKEN_BACK =
  "The results were taken back. If you have opened them, please don’t go by them, and throw away any report that you kept.";

/** Goes on from that, unless the shop decides whether the test goes ahead. */
const NEW_ONES_FOLLOW =
  "We’ll email you when you can open new ones. You can also contact the shop.";

/** The same where results that could be opened have changed, and nobody may see the new ones yet. */
const CHANGED_IN_REVIEW =
  "Results that you could open before have changed, and the new ones are being reviewed. Please don’t go by the earlier ones. We’ll email you when you can see the new ones.";

/** The same where results have changed since they could first be opened. */
const CHANGED =
  "Values that could be seen before have changed: please go by what the results say now.";

/** The same beside other results that can be opened. */
const SOME_CHANGED_IN_REVIEW =
  "Some results that you could open before have changed, and are being reviewed: please don’t go by those. We’ll email you when you can see them again.";

/** The same where a result can't wait, until somebody has talked about it: nothing else is read first, as in its email. */
const OPEN_TODAY = "Please open your results today and read the note at the top.";

/** The same where the laboratory has reported, and the report is not here yet. */
const REPORTED = "The laboratory has reported. We’ll email you when you can open the results.";

/** The same beside earlier results that can be opened. */
const REPORTED_AGAIN =
  "The laboratory has reported again. We’ll email you when you can open the new results.";
const NEW_IN_REVIEW = "New results are being reviewed. We’ll email you when you can see them.";

type ResultFacts = Pick<RequestFacts, "request" | "referrals" | "results" | "critical">;
type StepFacts = ResultFacts & Pick<RequestFacts, "toRing" | "isDelayed">;

/** The next step of a unit, or of a part of it. `hasBothForms`: of a unit that has two forms, and both are there. */
export function nextStepOf(
  facts: StepFacts,
  state: CustomerState,
  { hasBothForms = false }: { hasBothForms?: boolean } = {},
): string {
  // A patient who is to ring today waits for no email about what is reviewed.
  const isTold = state === "in_review" && isToRing(facts, state);
  const step = hasBothForms ? BOTH_FORMS_READY : stepOf(facts, state);
  return [todayOf(facts, state), !isTold && step].filter(Boolean).join(" ");
}

/** The words that come before everything else that is said of it; null where it is not for today. */
export function todayOf(facts: StepFacts, state: CustomerState): string | null {
  const ring = isToRing(facts, state) && ringToday(facts.toRing?.contact ?? null);
  return [ring, isToOpen(facts) && OPEN_TODAY].filter(Boolean).join(" ") || null;
}

/** Whether the owner is asked to ring about a result of it that is held. */
const isToRing = ({ results, toRing }: StepFacts, state: CustomerState): boolean =>
  state !== "cancelled" &&
  state !== "results_hidden" &&
  results.some(({ uuid }) => toRing?.uuids.has(uuid));

/** The words of its email (`ring_today`), with the number that stands there, and what to do at night. */
const ringToday = (contact: ClinicalContact | null): string =>
  `There is news about this test that we want to tell you in person. Please ring ${contact ? `${contact.name} today: ${contact.phone}` : "us today"}. ${CLINICAL_TEXTS.when_unanswered.text}`;

/** The step itself: what is for today stands before it. */
function stepOf(facts: StepFacts, state: CustomerState): string {
  const { request, referrals, results } = facts;
  if (state === "awaiting_details" && request.underAge) return UNDER_AGE;
  if (state === "awaiting_details" && request.owner === "patient") return ENTER_YOURS;
  const isOver = !referrals.some(isCurrent);
  const left = results.filter(({ deletedAt }) => deletedAt === null);
  if (state === "partial_results" || state === "results_ready")
    return isOver && request.replacedBy !== null
      ? [isAnyChanged(left) && CHANGED, BEFORE_REPLACEMENT].filter(Boolean).join(" ")
      : stepWithResults({ ...facts, results: left }, state);
  const closed = closedStep(request, state);
  const isTakenBack = state === "in_review" || state === "needs_support";
  if (isTakenBack && results.length > 0 && left.length === 0)
    return `${TAKEN_BACK} ${closed ?? NEW_ONES_FOLLOW}`;
  if (closed) return closed;
  if (state === "in_review") return stepInReview(facts);
  if (state === "needs_support" && isOver && isAnyPartGone(referrals)) return FORM_GONE;
  if (state === "being_prepared" && facts.isDelayed) return DELAYED;
  if (state === "being_prepared" && todayOf(facts, state)) return PREPARING;
  return NEXT_STEPS[state];
}

/** The words about a form that nobody is to use; null where that is not the matter. */
function closedStep(request: ReferralRequest, state: CustomerState): string | null {
  if (!isFormClosed(request) || request.state === "cancelled") return null;
  const isDecided = isConfirmed(request.cancellation) || isRefusedToStore(request);
  if (state === "needs_support") return isDecided ? BEING_CANCELLED : WAITS_FOR_SHOP;
  return state === "cancelled" ? BEING_CANCELLED : null;
}

/** Earlier results that have changed and can't be opened come first: somebody may go by them. */
function stepInReview(facts: ResultFacts): string {
  const hasChanged = facts.results.some(
    ({ correctedAt, releasedAt, deletedAt }) => correctedAt && !releasedAt && !deletedAt,
  );
  if (hasChanged) return CHANGED_IN_REVIEW;
  const isOpen = resultToShow(facts) !== undefined;
  if (resultsThatCount(facts).length === 0) return isOpen ? REPORTED_AGAIN : REPORTED;
  return isOpen ? NEW_IN_REVIEW : NEXT_STEPS.in_review;
}

/** Whether the owner is asked to open a result of it today: for as long as there is one that they can open. */
function isToOpen(facts: ResultFacts): boolean {
  if (facts.request.resultReason !== URGENT_SHOWN || facts.request.state === "cancelled")
    return false;
  const first = resultToShow(facts);
  return first !== undefined && mayBeCritical(facts, first);
}

/** Whether a result may be the critical one that is to be opened today. */
const mayBeCritical = ({ critical }: ResultFacts, { uuid }: StoredResult): boolean =>
  critical === undefined || critical.has(uuid);

/** Whether the owner is asked to open a result of it today, or to ring about one. */
export const isForToday = (facts: StepFacts, state: CustomerState): boolean =>
  todayOf(facts, state) !== null;

/** Whether a result that can be opened reads otherwise than it did. */
const isAnyChanged = (results: readonly StoredResult[]): boolean =>
  results.some(({ correctedAt, releasedAt }) => correctedAt && releasedAt);

/**
 * A result that can't wait comes first, what has changed second, another one that nobody may see yet third, and the rest last: it is
 * not promised where it may never come.
 */
function stepWithResults(facts: StepFacts, state: "partial_results" | "results_ready"): string {
  const isPartial = state === "partial_results";
  const status = isPartial && leastFinished(statusesOf(facts));
  const rest = status && isStuck(status) ? describeStatus(status).customer : REST_FOLLOWS;
  return [
    !isToOpen(facts) && (isPartial ? SOME_READY : NEXT_STEPS.results_ready),
    isAnyChanged(facts.results) && CHANGED,
    unseenStep(facts, isPartial),
    isPartial && rest,
  ]
    .filter(Boolean)
    .join(" ");
}

/**
 * The words about results that wait beside those that can be opened. The rest of partial ones is told by itself, and so is one to
 * ring about.
 */
function unseenStep(facts: StepFacts, isPartial: boolean): string | null {
  const unseen = resultsThatCount(facts).filter(
    ({ uuid, releasedAt, deletedAt, otherPerson }) =>
      !releasedAt && !deletedAt && !otherPerson && !facts.toRing?.uuids.has(uuid),
  );
  if (unseen.some(({ correctedAt }) => correctedAt)) return SOME_CHANGED_IN_REVIEW;
  return unseen.length > 0 && !isPartial ? NEW_IN_REVIEW : null;
}

/** Statuses that say more than the state does: those of a cancelled unit say nothing of its end. */
export const statusesOf = ({
  request,
  referrals,
}: Pick<RequestFacts, "request" | "referrals">): string[] =>
  isFormClosed(request) ? [] : referrals.filter(isCurrent).map(({ status }) => status);

/** The same where a unit has two forms, and both are there. */
export const BOTH_FORMS_READY = "Open both referral forms and take them to a collection centre.";

/** The steps that the buyer of an invited patient's unit sees. */
const INVITATION_STEPS = {
  sent: "We have sent the patient a link. They have not opened it yet.",
  claimed: "The patient has opened the link and fills in the details next.",
  done: "The patient has given the details. Everything else goes to them alone.",
} as const;

/** Tells the buyer how far the patient is. `sentTo`: the address that the link went to, where the buyer may read it. */
export const invitationStep = (
  progress: keyof typeof INVITATION_STEPS,
  sentTo: string | null,
): string =>
  progress === "sent" && sentTo !== null
    ? `We have sent the patient a link, to ${sentTo}. They have not opened it yet.`
    : INVITATION_STEPS[progress];

/** The same where the patient's address was lost with a database. */
export const LOST_INVITATION =
  "We had to restore our records from a copy, and no longer have the patient’s email address. Please cancel the invitation, and invite them again: they get a new link.";

/** The same where the mail server does not take the email with the link: the buyer typed the address, maybe mistyped it. */
export const undeliveredInvitation = (sentTo: string): string =>
  `Our email to ${sentTo} couldn’t be delivered. Check the address with the patient. Then cancel the invitation, and invite them again.`;

/**
 * Whether the shopper is shown a request. One that was ordered again is told by the request that replaced it,
 * unless it has something of its own to show.
 */
export function isShown({ request, referrals, results }: RequestFacts): boolean {
  if (request.replacedBy === null || request.missingPart !== null) return true;
  if (isAnyPartGone(referrals)) return true;
  return referrals.some(isCurrent) || results.some((result) => result.releasedAt !== null);
}

/** Referral statuses with which the shopper can do nothing alone (interface §3). */
const STUCK: ReadonlySet<string> = new Set([
  "INSUFFICIENT_DATA",
  "REFUNDED",
  "FAILED_TEST",
  "BILLING_FAILED",
  "TRANSFERRED",
]);

/** Whether a referral stopped on its way, so that no further results are to be promised of it. */
export const isStuck = (status: string): boolean => STUCK.has(status);

/** The state a shopper sees, worked out from the facts and stored nowhere. */
export function customerState(facts: RequestFacts): CustomerState {
  const { request } = facts;
  switch (request.state) {
    case "awaiting_details":
      return "awaiting_details";
    case "cancelled":
      return "cancelled";
    case "rejected":
      return "needs_support";
    case "ready":
    case "held":
    case "sending":
    case "ambiguous":
      if (request.missingPart === null && isFormClosed(request)) return "cancelled";
      // Nothing more is ordered before the shop knows the patient's age.
      if (request.missingPart === null && request.underAge) return "needs_support";
      // One referral of a Medicare request exists, and the other follows.
      return request.missingPart === null ? "being_prepared" : stateWithOneHalf(facts);
    case "created":
      return isPartLeft(facts) ? stateWithOneHalf(facts) : createdState(facts);
  }
}

/** Whether a part was refused, or is not sent before the patient's age is known, so that it waits for a person. */
const isPartLeft = ({ request: { missingPart }, orderedAgain }: RequestFacts): boolean =>
  missingPart !== null && !orderedAgain?.includes(missingPart);

function stateWithOneHalf(facts: RequestFacts): CustomerState {
  const state = createdState(facts);
  return state === "results_ready" ? "partial_results" : state;
}

/** The state of what exists at the service, or of a part of it. */
export function createdState({
  request,
  referrals,
  results,
  documents,
}: RequestFacts): CustomerState {
  const current = referrals.filter(isCurrent);
  const counted = resultsThatCount({ referrals, results });
  // A result that came all the same is its patient's.
  const isShown = counted.some((result) => result.releasedAt !== null);
  // Nobody has cancelled what the service deleted by itself: the shop may order it again.
  if (current.length === 0 && isAnyPartGone(referrals) && !isShown)
    return isFormClosed(request) ? "cancelled" : "needs_support";
  if (counted.length > 0 && request.resultsHiddenAt) return "results_hidden";
  const released = counted.filter((result) => result.releasedAt !== null);
  if (released.length > 0) {
    const whole =
      current.length > 0
        ? current.every((referral) =>
            released.some((result) => result.referralUuid === referral.uuid && !result.partial),
          )
        : released.every(({ partial }) => !partial);
    return whole ? "results_ready" : "partial_results";
  }
  // Nothing is reviewed of what the service took back.
  if (counted.length > 0)
    return counted.every(({ deletedAt }) => deletedAt !== null) ? "needs_support" : "in_review";
  // Nothing is left to decide about it, though the service may not delete it at once, or at all.
  if (isConfirmed(request.cancellation) || isRefusedToStore(request)) return "cancelled";
  if (isFormClosed(request)) return "needs_support";
  if (current.some((referral) => isStuck(referral.status))) return "needs_support";
  // The old form must not be used any more, and the new one is not there yet.
  if (current.some((referral) => referral.status === "SCHEDULED_REISSUE")) return "being_prepared";
  // Nobody goes to a collection centre again because the results are late.
  if (current.some(isReported)) return "in_review";
  const hasForm = documents.some(
    ({ kind, sourceUuid }) =>
      kind === "referral" &&
      current.some((referral) => referral.uuid === sourceUuid && !formIsOff(request, referral)),
  );
  return hasForm ? "form_ready" : "being_prepared";
}

/**
 * Leaves out the results of a replaced referral, unless nothing else is left: they say nothing about the referral in
 * its place.
 */
function resultsThatCount({ referrals, results }: Pick<ResultFacts, "referrals" | "results">) {
  const over = new Set(referrals.filter((one) => !isCurrent(one)).map(({ uuid }) => uuid));
  return referrals.some(isCurrent)
    ? results.filter(({ referralUuid }) => !over.has(referralUuid))
    : results;
}

/** The result to which the page leads. While newer ones are reviewed, that is an earlier one only where it is to be opened today. */
export const resultToOffer = (
  facts: ResultFacts,
  state: CustomerState,
): StoredResult | undefined =>
  state === "in_review" && !isToOpen(facts) ? undefined : resultToShow(facts);

/**
 * The result that is shown first: one that is to be opened today, of a referral that counts before one that was replaced, then the
 * newest.
 */
export function resultToShow(facts: ResultFacts): StoredResult | undefined {
  if (facts.request.resultsHiddenAt) return undefined;
  const counted = new Set(resultsThatCount(facts));
  return facts.results
    .filter((result) => result.releasedAt !== null)
    .toSorted(
      (a, b) =>
        Number(mayBeCritical(facts, b)) - Number(mayBeCritical(facts, a)) ||
        Number(counted.has(b)) - Number(counted.has(a)) ||
        b.serviceUpdatedAt.getTime() - a.serviceUpdatedAt.getTime(),
    )[0];
}
