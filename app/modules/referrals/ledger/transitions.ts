/** Long because it is one table: every state, every event, and what follows. */
import { withoutDeletion } from "../cancellation.ts";
import { mayKeep } from "../form-closed.ts";
import { isHeldForRisk, RISK_REASONS } from "../order-risk.ts";
import { isLeftToPerson, type RequestState } from "../request.ts";
import { isSameReason, plainReason, reasonKey } from "../review-reason.ts";
import { attentionFor } from "../status.ts";
import {
  CONSENT_WITHDRAWN,
  cancelCreated,
  cancelUnclear,
  cancelWaiting,
  REQUESTED_BY_STORE,
  readReferrals,
  recordDeletion,
} from "./cancel-moves.ts";
import type { EventKind, EventOf, LedgerEvent, Transition } from "./events.ts";
import type { LedgerFacts } from "./facts.ts";
import {
  claim,
  confirmDetails,
  exists,
  forget,
  handOver,
  holdForRisk,
  isLatest,
  isUnderAge,
  leaveToPerson,
  loseSight,
  ofLatest,
  restoreClaim,
  seekPart,
  sendAgain,
  takeBackForAge,
  takeDetails,
  tellAge,
  tellAgeOfOrdered,
  tellMissingDocument,
  tellOtherTests,
  tellUnresolved,
  unlessReplaced,
  unlessUnderAge,
  wantAgain,
  withReason,
} from "./moves.ts";
import {
  handle,
  hasDuplicate,
  hasRoom,
  isOfDocuments,
  isOfMissingPart,
  mayHandle,
  mayReopen,
  reasonAfterCorrection,
  reasonAfterReplacing,
  reasonAfterResults,
  reopen,
  resultReasonAfter,
  resultReasonAfterReplacing,
} from "./reasons.ts";

/** The moves of one state. */
type Moves = {
  [Kind in EventKind]?: (request: LedgerFacts, event: EventOf<Kind>) => Transition;
};

/** Events that mean the same in every state. */
const ANYWHERE = {
  results_read: (request, event) => {
    const resultReason = resultReasonAfter(request, event);
    const reviewReason = reasonAfterResults(request);
    const isAsBefore =
      resultReason === request.resultReason && isSameReason(reviewReason, request.reviewReason);
    return isAsBefore
      ? "nothing_new"
      : { to: request.state, change: { resultReason, reviewReason } };
  },
  answer_unreadable: (request, { uuid, code }) =>
    hasRoom(request) && request.reviewReason?.code !== "unreadable_at_service"
      ? {
          to: request.state,
          change: { reviewReason: plainReason("unreadable_at_service") },
          records: "answer_unreadable",
          detail: { uuid, code },
        }
      : "nothing_new",
  answer_read: (request) =>
    request.reviewReason?.code === "unreadable_at_service"
      ? withReason(request, attentionFor(request.referrals))
      : "nothing_new",
  correction_given: (request, { correction }) => ({
    to: request.state,
    change: { reviewReason: reasonAfterCorrection(request), underAge: false },
    records: "details_corrected",
    detail: { correction },
  }),
  details_confirmed: confirmDetails,
  correction_refused: ({ state }, { correction }) => ({
    to: state,
    change: { reviewReason: plainReason("correction_refused") },
    records: "correction_refused",
    detail: { correction },
  }),
  replaced: (request, { by }) => ({
    to: request.state,
    change: {
      reviewReason: reasonAfterReplacing(request),
      ...resultReasonAfterReplacing(request),
      replacedBy: request.replacedBy ?? by,
    },
  }),
  consent_withdrawn: (request) => withReason(request, CONSENT_WITHDRAWN),
  handled: (request, { reason }) =>
    mayHandle(request, reason)
      ? {
          to: request.state,
          change: handle(request, reason),
          records: "attention_handled",
          detail: { reason: reasonKey(reason) },
        }
      : "does_not_apply",
  reopened: (request, { reason }) =>
    mayReopen(request, reason)
      ? {
          to: request.state,
          change: reopen(request, reason),
          records: "attention_reopened",
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
            change: { reviewReason: plainReason("under_age"), underAge: true },
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
    under_age: takeBackForAge,
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
    under_age: takeBackForAge,
    risk_read: (request, { risk }) => {
      if (!isHeldForRisk(request)) return "does_not_apply";
      if (risk === "clear")
        return unlessUnderAge(request, {
          to: "ready",
          change: { reviewReason: null },
          records: "risk_cleared",
        });
      return request.reviewReason?.code === RISK_REASONS[risk] ? "nothing_new" : holdForRisk(risk);
    },
    released: (request) =>
      unlessUnderAge(request, {
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
      return unlessUnderAge(
        request,
        request.missingPart
          ? { to: "created", change: { reviewReason: { code: "half_rejected", detail: code } } }
          : { to: "rejected", change: { reviewReason: { code: "rejected", detail: code } } },
      );
    },
    not_sent: (request, { claimed, reason }) =>
      isLatest(request, claimed)
        ? unlessUnderAge(request, {
            to: "ready",
            change: { reviewReason: reason === null ? null : { code: "not_sent", detail: reason } },
          })
        : "other_attempt",
    under_age: tellAge,
    unknown: (request, event) =>
      isLatest(request, event.claimed) ? loseSight(request) : restoreClaim(request, event),
    overdue: loseSight,
    found: exists,
    part_missing: seekPart,
    cancellation_requested: cancelUnclear,
    wanted_again: wantAgain,
  },
  ambiguous: {
    ...ANYWHERE,
    unresolved: tellUnresolved,
    under_age: tellAge,
    // Should it prove unsent, it ends there: there is nothing left that could be sent.
    redacted: ({ cancellation }) => ({
      to: "ambiguous",
      change: {
        resultReason: null,
        reviewReason: null,
        underAge: false,
        cancellation: cancellation ?? REQUESTED_BY_STORE,
      },
      queues: "resolve-ambiguous",
    }),
    scan_counted: (request, event) =>
      ofLatest(request, event, {
        to: "ambiguous",
        change: {
          emptyScans: event.emptyScans,
          reviewReason: isUnderAge(request) ? plainReason("under_age") : null,
        },
      }),
    left_to_person: (request, event) =>
      ofLatest(request, event, {
        to: "ambiguous",
        change: {
          emptyScans: event.emptyScans,
          reviewReason: leaveToPerson(request),
        },
      }),
    proved_unsent: (request, event) =>
      ofLatest(
        request,
        event,
        unlessUnderAge(request, {
          to: "ready",
          change: { emptyScans: event.emptyScans, reviewReason: null },
        }),
      ),
    retried: (request) => (isLeftToPerson(request) ? sendAgain(request) : "does_not_apply"),
    unknown: restoreClaim,
    found: exists,
    part_missing: seekPart,
    cancellation_requested: cancelUnclear,
    wanted_again: wantAgain,
  },
  rejected: {
    ...ANYWHERE,
    handed_over: unlessReplaced(handOver),
    redacted: forget,
    details_given: unlessReplaced(takeDetails),
    under_age: unlessReplaced(takeBackForAge),
    retried: unlessReplaced(sendAgain),
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
    referrals_read: readReferrals,
    under_age: tellAgeOfOrdered,
    redacted: forget,
    part_missing: seekPart,
    retried: (request) =>
      isOfMissingPart(request.reviewReason) && !isUnderAge(request)
        ? sendAgain(request)
        : "does_not_apply",
    cancellation_requested: cancelCreated,
    // The reason leaves the list, and can be brought back as any that was handled.
    kept: (request) =>
      mayKeep(request)
        ? {
            to: "created",
            change: { kept: true, handledReason: request.reviewReason },
            records: "request_kept",
          }
        : "does_not_apply",
    wanted_again: wantAgain,
    tests_read: tellOtherTests,
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
    deleted: recordDeletion,
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
