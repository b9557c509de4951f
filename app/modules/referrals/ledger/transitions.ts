import type { TimelineDetail, TimelineKind } from "../../kernel/timeline.ts";
import {
  type Cancellation,
  type Canceller,
  isConfirmed,
  withoutDeletion,
} from "../cancellation.ts";
import type { DocumentKind } from "../document.ts";
import { isHeldForRisk, type OrderRisk, RISK_REASONS } from "../order-risk.ts";
import { isCurrent } from "../referral-repository.ts";
import { isLeftToPerson, isUnsent, type ReferralPart, type RequestState } from "../request.ts";
import type { RequestChange } from "../request-repository.ts";
import {
  isSameReason,
  type PlainCode,
  plainReason,
  type ReviewReason,
  reasonKey,
} from "../review-reason.ts";
import { unhandledReasonOf } from "../standing.ts";
import { attentionFor } from "../status.ts";
import type { Attempt, LedgerFacts } from "./facts.ts";
import { hasDuplicate, isOfDocuments, reasonAfterReading, reasonAfterResults } from "./reasons.ts";

/** Everything that can happen to a request once it is opened. */
export type LedgerEvent =
  /** The shopper or the patient gave or corrected the details; the shop may hold every order for a look. */
  | { kind: "details_given"; isHeldByShop: boolean }
  | { kind: "held" }
  | { kind: "released" }
  /** Shopify's own assessment of its order, read just before the request is sent. */
  | { kind: "risk_read"; risk: OrderRisk }
  /** Ledger rule 2: this is on disk before a byte leaves. `recoveryLowerBound`: how far back its first attempt is to be looked for. */
  | { kind: "claimed"; at: Date; deadlineAt: Date; recoveryLowerBound: Date }
  /** The service's final no (interface §4.2 rule 12). */
  | { kind: "rejected"; claimed: Attempt; code: string }
  /** Certainly nothing left. `reason`: what a person has to mend, or null. */
  | { kind: "not_sent"; claimed: Attempt; reason: string | null }
  /** Nobody knows whether anything was created. */
  | { kind: "unknown"; claimed: Attempt }
  /** The sender's time is over, and it has not reported. */
  | { kind: "overdue" }
  /** Everything that was ordered exists at the service. */
  | { kind: "found" }
  /** One of a Medicare order's two referrals exists, and this one does not (interface §4.2 rule 7). */
  | { kind: "part_missing"; part: ReferralPart; now: Date }
  /** A complete scan that proves something only together with a later one. */
  | { kind: "scan_counted"; attempt: number; emptyScans: number }
  /** All scans found nothing, and a person has to say whether it is sent again. */
  | { kind: "left_to_person"; attempt: number; emptyScans: number }
  /** All scans found nothing: it was never created. */
  | { kind: "proved_unsent"; attempt: number; emptyScans: number }
  | { kind: "retried" }
  /** The store took the unit back, or staff cancel it. The rest is what is known of it at this moment. */
  | {
      kind: "cancellation_requested";
      by: Canceller;
      hasResults: boolean;
      /** The shop's policy for the referral of a refunded unit. */
      refundPolicy: "automatic" | "ask";
      /** Whether it may have been ordered with credentials that are not the connection's any more. */
      mayBeElsewhere: boolean;
    }
  /** The store has the unit bought again, before anything was deleted for it. */
  | { kind: "wanted_again" }
  /** The service made its referral later than anybody waits, and nobody pays for it any more. */
  | { kind: "turned_up" }
  | { kind: "withdrawal_refused" }
  | { kind: "withdrawal_too_late"; wasStores: boolean }
  /** Its referrals are deleted at the service. `isReported`: with results that came meanwhile. */
  | { kind: "deleted"; isReported: boolean }
  /** No reminder is left to send, and nobody has given the details. */
  | { kind: "details_overdue" }
  /** The date of birth that was given is under the shop's minimum age, so the details were refused. */
  | { kind: "under_age" }
  /** The list cannot be read until somebody changes something, so that nobody can find out. */
  | { kind: "unresolved"; attempt: number; code: string }
  /** A referral of it was read. */
  | { kind: "referrals_read" }
  /** A result of it was read or released. `isShownNow`: its patient can see a critical one since this moment. */
  | { kind: "results_read"; hasUrgentHold: boolean; isShownNow: boolean }
  /** The service's answer about one of its referrals or results cannot be read. */
  | { kind: "answer_unreadable"; uuid: string }
  /** It can be read again. */
  | { kind: "answer_read" }
  /** A PDF of it cannot be had: its host is not allowed, or it was tried for too long. */
  | { kind: "document_missing"; document: DocumentKind; refusedHost: string | null }
  /** Every PDF of it that was looked for is here. */
  | { kind: "documents_here" }
  /** The details were corrected after they were ordered with, or the service refuses that. */
  | { kind: "correction_given"; correction: number }
  | { kind: "correction_refused"; correction: number }
  /** Its unit was ordered again: the request of the next generation. */
  | { kind: "replaced"; by: string }
  /** A person has dealt with why one is needed. */
  | { kind: "handled"; reason: ReviewReason }
  /** The unit was handed to its patient, who alone gives the details. */
  | { kind: "handed_over" }
  /** Everything about its patient was destroyed. */
  | { kind: "redacted" }
  /** The patient had their data deleted before there were results. The unit may still be paid for. */
  | { kind: "consent_withdrawn" };

export type EventKind = LedgerEvent["kind"];
export type EventOf<Kind extends EventKind> = Extract<LedgerEvent, { kind: Kind }>;

export type CancellationOutcome =
  /** Nothing existed at the service: done. */
  | "cancelled"
  /** Its referral is being deleted at the service. */
  | "deleting"
  /** Its referral waits for a person's click, by the shop's refund policy. */
  | "asked"
  /** It has results: kept, and shown to a person. */
  | "kept"
  /** It is being sent, or nobody knows yet whether it exists: ended as soon as that is known. */
  | "unsettled"
  /** It was given up before. */
  | "nothing";

const CONSENT_WITHDRAWN = plainReason("consent_withdrawn");
const REQUESTED_BY_STORE: Cancellation = { requestedBy: "store", status: "requested" };

/** The outcome of an event for a request. */
export interface Step {
  to: RequestState;
  change: RequestChange;
  /** The line of the timeline that tells of it. */
  records?: TimelineKind;
  detail?: TimelineDetail;
  /** Work that the new state calls for, about the same request. */
  queues?: "create-referral" | "resolve-ambiguous" | "delete-referrals";
  /** For a cancellation: how far it came. */
  outcome?: CancellationOutcome;
}

/** Why an event changes nothing. */
export type Refusal =
  /** It means nothing in this state. */
  | "does_not_apply"
  /** It is about another attempt than the latest. */
  | "other_attempt"
  /** It was so already. */
  | "nothing_new";

export type Transition = Step | Refusal;

/** The moves of one state. */
type Moves = {
  [Kind in EventKind]?: (request: LedgerFacts, event: EventOf<Kind>) => Transition;
};

/** Events that mean the same in every state. */
const ANYWHERE = {
  results_read: (request, event) => withReason(request, reasonAfterResults(request, event)),
  answer_unreadable: ({ state, reviewReason }, { uuid }) =>
    reviewReason === null
      ? {
          to: state,
          change: { reviewReason: plainReason("unreadable_at_service") },
          records: "answer_unreadable",
          detail: { uuid, code: "contract_mismatch" },
        }
      : "nothing_new",
  answer_read: (request) =>
    request.reviewReason?.code === "unreadable_at_service"
      ? withReason(request, attentionFor(request.referrals))
      : "nothing_new",
  correction_given: ({ state, reviewReason }, { correction }) => ({
    to: state,
    change: reviewReason?.code === "correction_refused" ? { reviewReason: null } : {},
    records: "details_corrected",
    detail: { correction },
  }),
  correction_refused: ({ state }, { correction }) => ({
    to: state,
    change: { reviewReason: plainReason("correction_refused") },
    records: "correction_refused",
    detail: { correction },
  }),
  replaced: ({ state, replacedBy }, { by }) =>
    replacedBy === null
      ? { to: state, change: { reviewReason: null, replacedBy: by } }
      : "nothing_new",
  consent_withdrawn: (request) => withReason(request, CONSENT_WITHDRAWN),
  handled: (request, { reason }) =>
    isSameReason(unhandledReasonOf({ ...request, request }), reason)
      ? {
          to: request.state,
          change: { handledReason: reason },
          records: "attention_handled",
          detail: { reason: reasonKey(reason) },
        }
      : "does_not_apply",
} satisfies Moves;

/**
 * The ledger (docs/architecture.md): every state, every event, what it leads to. An event that a state does not name does
 * not apply to it. Pure: what is decided by the time, by the service or by the shop's settings comes with the event.
 */
export const TRANSITIONS: Readonly<Record<RequestState, Moves>> = {
  awaiting_details: {
    ...ANYWHERE,
    handed_over: handOver,
    redacted: forget,
    details_overdue: ({ reviewReason }) =>
      reviewReason === null
        ? {
            to: "awaiting_details",
            change: { reviewReason: plainReason("details_overdue") },
            records: "details_overdue",
          }
        : "nothing_new",
    // Somebody who is told so may never come back: the shop has to hear of it.
    under_age: ({ reviewReason }) =>
      reviewReason === null || reviewReason.code === "details_overdue"
        ? {
            to: "awaiting_details",
            change: { reviewReason: plainReason("under_age") },
            records: "under_age",
          }
        : "nothing_new",
    details_given: takeDetails,
    found: exists,
    part_missing: seekPart,
    cancellation_requested: cancelWaiting,
    wanted_again: wantAgain,
  },
  ready: {
    ...ANYWHERE,
    handed_over: handOver,
    redacted: forget,
    details_given: takeDetails,
    held: () => ({ to: "held", change: { reviewReason: null }, records: "request_held" }),
    risk_read: (request, { risk }) =>
      risk === "clear" || request.riskAccepted || request.missingPart !== null
        ? "nothing_new"
        : holdForRisk(risk),
    claimed: claim,
    retried: (request) =>
      request.reviewReason?.code === "not_sent" ? sendAgain(request) : "does_not_apply",
    unknown: restoreClaim,
    found: exists,
    part_missing: seekPart,
    cancellation_requested: cancelWaiting,
    wanted_again: wantAgain,
  },
  held: {
    ...ANYWHERE,
    handed_over: handOver,
    redacted: forget,
    details_given: takeDetails,
    risk_read: (request, { risk }) => {
      if (!isHeldForRisk(request)) return "does_not_apply";
      if (risk === "clear")
        return { to: "ready", change: { reviewReason: null }, records: "risk_cleared" };
      return request.reviewReason?.code === RISK_REASONS[risk] ? "nothing_new" : holdForRisk(risk);
    },
    released: (request) => ({
      to: "ready",
      change: { reviewReason: null, ...(isHeldForRisk(request) ? { riskAccepted: true } : {}) },
      records: "request_released",
      queues: "create-referral",
    }),
    unknown: restoreClaim,
    found: exists,
    part_missing: seekPart,
    cancellation_requested: cancelWaiting,
    wanted_again: wantAgain,
  },
  sending: {
    ...ANYWHERE,
    rejected: (request, { claimed, code }) => {
      if (!isLatest(request, claimed)) return "other_attempt";
      // The other part exists at the service.
      return request.missingPart
        ? { to: "created", change: { reviewReason: { code: "half_rejected", detail: code } } }
        : { to: "rejected", change: { reviewReason: { code: "rejected", detail: code } } };
    },
    not_sent: (request, { claimed, reason }) =>
      isLatest(request, claimed)
        ? {
            to: "ready",
            change: { reviewReason: reason === null ? null : { code: "not_sent", detail: reason } },
          }
        : "other_attempt",
    unknown: (request, event) =>
      isLatest(request, event.claimed)
        ? { to: "ambiguous", change: {} }
        : restoreClaim(request, event),
    overdue: () => ({ to: "ambiguous", change: {} }),
    found: exists,
    part_missing: seekPart,
    cancellation_requested: cancelUnclear,
    wanted_again: wantAgain,
  },
  ambiguous: {
    ...ANYWHERE,
    unresolved: tellUnresolved,
    // Should it prove unsent, it ends there: there is nothing left that could be sent.
    redacted: ({ cancellation }) => ({
      to: "ambiguous",
      change: { reviewReason: null, cancellation: cancellation ?? REQUESTED_BY_STORE },
      queues: "resolve-ambiguous",
    }),
    scan_counted: (request, event) =>
      ofLatest(request, event, {
        to: "ambiguous",
        change: { emptyScans: event.emptyScans, reviewReason: null },
      }),
    left_to_person: (request, event) =>
      ofLatest(request, event, {
        to: "ambiguous",
        change: {
          emptyScans: event.emptyScans,
          reviewReason: plainReason(request.missingPart ? "half_created" : "ambiguous"),
        },
      }),
    proved_unsent: (request, event) =>
      ofLatest(request, event, {
        to: "ready",
        change: { emptyScans: event.emptyScans, reviewReason: null },
      }),
    retried: (request) => (isLeftToPerson(request) ? sendAgain(request) : "does_not_apply"),
    unknown: restoreClaim,
    found: exists,
    part_missing: seekPart,
    cancellation_requested: cancelUnclear,
    wanted_again: wantAgain,
  },
  rejected: {
    ...ANYWHERE,
    handed_over: handOver,
    redacted: forget,
    details_given: takeDetails,
    retried: sendAgain,
    unknown: restoreClaim,
    found: exists,
    part_missing: seekPart,
    cancellation_requested: cancelWaiting,
    wanted_again: wantAgain,
  },
  created: {
    ...ANYWHERE,
    found: (request) => {
      const isDuplicated = hasDuplicate(request.referrals);
      if (isDuplicated) return withReason(request, plainReason("duplicate_referral"));
      return request.reviewReason?.code === "duplicate_referral"
        ? withReason(request, null)
        : "nothing_new";
    },
    referrals_read: (request) =>
      // A referral that is being deleted needs nobody.
      isConfirmed(request.cancellation)
        ? "does_not_apply"
        : withReason(request, reasonAfterReading(request)),
    redacted: forget,
    part_missing: seekPart,
    retried: (request) =>
      request.reviewReason?.code === "half_rejected" ? sendAgain(request) : "does_not_apply",
    cancellation_requested: cancelCreated,
    wanted_again: wantAgain,
    document_missing: tellMissingDocument,
    documents_here: (request) =>
      isOfDocuments(request.reviewReason)
        ? withReason(request, attentionFor(request.referrals))
        : "nothing_new",
    withdrawal_refused: ({ cancellation }) => ({
      to: "created",
      change: {
        reviewReason: plainReason("withdrawal_refused"),
        // A unit that staff cancelled is still paid for. Were it taken for the store's, another unit would be opened.
        cancellation: withoutDeletion(cancellation),
      },
      records: "withdrawal_refused",
    }),
    withdrawal_too_late: (_, { wasStores }) => ({
      to: "created",
      change: {
        reviewReason: plainReason(wasStores ? "refunded_after_results" : "withdrawal_too_late"),
        cancellation: wasStores ? REQUESTED_BY_STORE : null,
      },
      records: "withdrawal_too_late",
    }),
    deleted: ({ cancellation, referrals, reviewReason: before }, { isReported }) => {
      // One was made meanwhile.
      if (referrals.some(isCurrent)) return "does_not_apply";
      if (isConfirmed(cancellation) && !isReported)
        return {
          to: "cancelled",
          change: {
            // It was deleted because of it, and the money is still to be given back.
            reviewReason: isSameReason(before, CONSENT_WITHDRAWN) ? before : null,
            cancellation: { ...cancellation, status: "done" },
          },
        };
      // Bought again, or reported, while the call was under way: what is true at the service is told, and offered.
      const reviewReason = plainReason(isReported ? "deleted_with_results" : "deleted_at_service");
      return {
        to: "created",
        change: { reviewReason, cancellation: withoutDeletion(cancellation) },
      };
    },
  },
  cancelled: {
    ...ANYWHERE,
    redacted: forget,
    cancellation_requested: (_, { by }) => ({
      to: "cancelled",
      // The store's word is the last: only then is the unit not paid for any more.
      change:
        by === "store"
          ? { reviewReason: null, cancellation: { requestedBy: by, status: "done" } }
          : {},
      outcome: "nothing",
    }),
    turned_up: ({ cancellation }) => ({
      to: "created",
      // When it was cancelled there was nothing to decide about.
      change: {
        reviewReason: null,
        cancellation: cancellation?.requestedBy === "staff" ? null : REQUESTED_BY_STORE,
      },
    }),
  },
};

/** Looks up what an event means to a request. */
export function transition(request: LedgerFacts, event: LedgerEvent): Transition {
  const move = TRANSITIONS[request.state][event.kind] as
    | ((request: LedgerFacts, event: LedgerEvent) => Transition)
    | undefined;
  return move?.(request, event) ?? "does_not_apply";
}

const holdForRisk = (risk: Exclude<OrderRisk, "clear">): Step => ({
  to: "held",
  change: { reviewReason: plainReason(RISK_REASONS[risk]) },
  records: "risk_held",
  detail: { risk },
});

function takeDetails(request: LedgerFacts, { isHeldByShop }: EventOf<"details_given">): Transition {
  // One of its referrals exists, with the details it was ordered with.
  if (request.missingPart !== null) return "does_not_apply";
  return {
    to: isHeldByShop ? "held" : "ready",
    change: { reviewReason: null },
    records: request.hasPatient ? "details_corrected" : "details_given",
    ...(isHeldByShop ? {} : { queues: "create-referral" }),
  };
}

function claim(
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
const isLatest = (request: LedgerFacts, claimed: Attempt): boolean =>
  request.attempt === claimed.attempt &&
  request.attemptDeadlineAt?.getTime() === claimed.attemptDeadlineAt?.getTime();

/** A scan of one attempt says nothing about the next, which may have begun while it was read. */
const ofLatest = (
  request: LedgerFacts,
  { attempt }: { attempt: number },
  step: Step,
): Transition => (request.attempt === attempt ? step : "other_attempt");

/** An attempt that a restored database has forgotten, and of which nobody knows the end, is looked for as any other. */
function restoreClaim(request: LedgerFacts, { claimed }: EventOf<"unknown">): Transition {
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
function exists({ referrals }: LedgerFacts): Transition {
  const reviewReason = hasDuplicate(referrals) ? plainReason("duplicate_referral") : null;
  return { to: "created", change: { reviewReason, missingPart: null } };
}

function seekPart(request: LedgerFacts, { part, now }: EventOf<"part_missing">): Transition {
  if (request.missingPart === part) return "nothing_new";
  return {
    to: "ambiguous",
    change: {
      reviewReason: null,
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
function withReason({ state, reviewReason }: LedgerFacts, next: ReviewReason | null): Transition {
  return isSameReason(next, reviewReason)
    ? "nothing_new"
    : { to: state, change: { reviewReason: next } };
}

/** Nobody can find out what became of the attempt. A person who was asked to decide has been told enough. */
function tellUnresolved(
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
function tellMissingDocument(
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

/** Asks the invited patient for the details of a unit of which certainly nothing was sent. */
function handOver({ missingPart }: LedgerFacts): Transition {
  return missingPart === null
    ? { to: "awaiting_details", change: { reviewReason: null } }
    : "does_not_apply";
}

/** Nothing is left that could be sent; what exists at the service stays there. */
function forget(request: LedgerFacts): Transition {
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
function sendAgain({ cancellation }: LedgerFacts): Transition {
  if (cancellation !== null) return "does_not_apply";
  return {
    to: "ready",
    change: { reviewReason: null },
    records: "retry_asked",
    queues: "create-referral",
  };
}

function wantAgain({ state, reviewReason }: LedgerFacts): Transition {
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

/** Ends at once a unit of which certainly nothing exists at the service. */
function cancelUnsent(_: LedgerFacts, { by }: EventOf<"cancellation_requested">): Transition {
  return {
    to: "cancelled",
    change: { reviewReason: null, cancellation: { requestedBy: by, status: "done" } },
    records: "request_cancelled",
    outcome: "cancelled",
  };
}

function cancelWaiting(request: LedgerFacts, event: EventOf<"cancellation_requested">): Transition {
  // One part exists at the service; the other one was about to be sent.
  return isUnsent(request) ? cancelUnsent(request, event) : cancelCreated(request, event);
}

/** The cancellation of a unit of which nobody knows yet whether its referral exists. */
function bothCancelled(before: Cancellation | null, by: Canceller): Cancellation {
  // Both want it: then the store's counts, and nobody has to be asked about what turns up.
  const isBoth = by === "staff" ? before?.requestedBy === "store" : isConfirmed(before);
  if (isBoth) return { requestedBy: "store", status: "confirmed" };
  return by === "staff" ? { requestedBy: "staff", status: "confirmed" } : REQUESTED_BY_STORE;
}

/** It is being sent, or nobody knows yet whether it exists: it ends as soon as that is known. */
function cancelUnclear(
  request: LedgerFacts,
  { by, mayBeElsewhere }: EventOf<"cancellation_requested">,
): Transition {
  const { state, cancellation } = request;
  const next = bothCancelled(cancellation, by);
  const isNew =
    cancellation?.requestedBy !== next.requestedBy || cancellation.status !== next.status;
  // Nobody has to decide about it any more: it ends when the next scan finds nothing. Where no scan proves anything, the
  // next one would leave it to a person again.
  const isOver = isLeftToPerson(request) && (cancellation === null || !mayBeElsewhere);
  return {
    to: state,
    change: {
      ...(isNew ? { cancellation: next } : {}),
      ...(isOver ? { reviewReason: null } : {}),
    },
    ...(isNew ? { records: "request_surplus" } : {}),
    ...(isOver ? { queues: "resolve-ambiguous" } : {}),
    outcome: "unsettled",
  };
}

/**
 * A referral without results is deleted at the service, by the shop's refund policy at once or after a click; one with
 * results is kept, because somebody's results are attached to it.
 */
function cancelCreated(
  { cancellation, reviewReason }: LedgerFacts,
  { by, hasResults, refundPolicy }: EventOf<"cancellation_requested">,
): Transition {
  // Nothing more of it is sent, whatever becomes of what exists.
  const stands = { to: "created", change: { missingPart: null } } as const;
  const taken = { missingPart: null, reviewReason: null };
  const toPerson = (code: PlainCode) =>
    ({
      to: "created",
      change: {
        ...taken,
        reviewReason: plainReason(code),
        cancellation: cancellation ?? REQUESTED_BY_STORE,
      },
      records: "request_surplus",
    }) as const;
  if (hasResults) {
    if (by === "staff") return { ...stands, outcome: "kept" };
    return reviewReason?.code === "refunded_after_results"
      ? { ...stands, outcome: "nothing" }
      : { ...toPerson("refunded_after_results"), outcome: "kept" };
  }
  if (by === "store" && !isConfirmed(cancellation)) {
    // A person was asked: the answer is theirs, whatever the policy says by now.
    if (reviewReason?.code === "refunded_after_sending") return { ...stands, outcome: "nothing" };
    // The service has refused it since the store took it back: only a person tries again.
    if (cancellation !== null && reviewReason?.code === "withdrawal_refused")
      return { ...stands, outcome: "nothing" };
    if (refundPolicy === "ask") return { ...toPerson("refunded_after_sending"), outcome: "asked" };
  }
  // A cancellation by the store stays the store's, whoever clicks.
  const isStores = by === "store" || cancellation?.requestedBy === "store";
  return {
    to: "created",
    change: {
      ...taken,
      cancellation: { requestedBy: isStores ? "store" : "staff", status: "confirmed" },
    },
    ...(isConfirmed(cancellation) ? {} : { records: "withdrawal_asked" }),
    queues: "delete-referrals",
    outcome: "deleting",
  };
}
