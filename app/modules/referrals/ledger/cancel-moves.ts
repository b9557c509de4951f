import {
  type Cancellation,
  type Canceller,
  isConfirmed,
  withoutDeletion,
} from "../cancellation.ts";
import { OTHER_PERSON, REFERRAL_OTHER_PERSON } from "../other-person.ts";
import { isCurrent } from "../referral-repository.ts";
import { isLeftToPerson, isUnsent } from "../request.ts";
import { isSameReason, type PlainCode, plainReason } from "../review-reason.ts";
import type { EventOf, Transition } from "./events.ts";
import type { LedgerFacts } from "./facts.ts";
import { withReason } from "./moves.ts";
import { isNothingThere, isReportedAny, reasonAfterReading } from "./reasons.ts";

export const CONSENT_WITHDRAWN = plainReason("consent_withdrawn");
/** The store took the unit back: nothing is decided about what may exist. */
export const REQUESTED_BY_STORE: Cancellation = { requestedBy: "store", status: "requested" };

/** Ends at once a unit of which certainly nothing exists at the service. */
function cancelUnsent(_: LedgerFacts, { by }: EventOf<"cancellation_requested">): Transition {
  return {
    to: "cancelled",
    change: { reviewReason: null, cancellation: { requestedBy: by, status: "done" } },
    records: "request_cancelled",
    outcome: "cancelled",
  };
}

/** The cancellation of a unit that waits to be sent, whole or one part of it. */
export function cancelWaiting(
  request: LedgerFacts,
  event: EventOf<"cancellation_requested">,
): Transition {
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
export function cancelUnclear(
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
export function cancelCreated(
  { cancellation, reviewReason, referrals }: LedgerFacts,
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
    // Nothing is left that its patient could keep: all of it was deleted, or ordered again.
    const isAnyLeft = referrals.length === 0 || referrals.some(isCurrent);
    if (refundPolicy === "ask" && isAnyLeft)
      return { ...toPerson("refunded_after_sending"), outcome: "asked" };
  }
  // A cancellation by the store stays the store's, whoever clicks.
  const isStores = by === "store" || cancellation?.requestedBy === "store";
  return {
    to: "created",
    change: {
      ...taken,
      kept: false,
      cancellation: { requestedBy: isStores ? "store" : "staff", status: "confirmed" },
    },
    ...(isConfirmed(cancellation) ? {} : { records: "withdrawal_asked" }),
    queues: "delete-referrals",
    outcome: "deleting",
  };
}

/** Every referral of the unit has gone from the service: by a cancellation, or by somebody there. */
export function recordDeletion(
  { cancellation, referrals, resultReason, reviewReason: before }: LedgerFacts,
  { isReported }: EventOf<"deleted">,
): Transition {
  // One was made meanwhile.
  if (referrals.some(isCurrent)) return "does_not_apply";
  if (isConfirmed(cancellation) && !isReported)
    return {
      to: "cancelled",
      change: {
        resultReason: null,
        // It was deleted because of it, and the money is still to be given back.
        reviewReason: isSameReason(before, CONSENT_WITHDRAWN) ? before : null,
        cancellation: { ...cancellation, status: "done" },
      },
    };
  // Bought again, or reported, while the call was under way: what is true at the service is told, and offered.
  const reviewReason = plainReason(isReported ? "deleted_with_results" : "deleted_at_service");
  return {
    to: "created",
    change: {
      // Nothing is left that the service could put right.
      resultReason:
        resultReason === OTHER_PERSON || resultReason === REFERRAL_OTHER_PERSON
          ? null
          : resultReason,
      reviewReason,
      cancellation: withoutDeletion(cancellation),
    },
  };
}

/**
 * The change by a reading of the referrals. A unit that is being deleted needs nobody. A unit that the store takes back ends with
 * its referrals, whoever deleted them at the service: it was refused to Pathway, or nobody had decided. One that staff let the
 * patient keep does not.
 */
export function readReferrals(request: LedgerFacts): Transition {
  const { cancellation, referrals, kept } = request;
  const isTakenBack = cancellation?.requestedBy === "store" && !kept;
  if (isConfirmed(cancellation)) return "does_not_apply";
  if (isTakenBack && !isReportedAny(request) && isNothingThere(referrals))
    return {
      to: "cancelled",
      change: {
        reviewReason: null,
        missingPart: null,
        cancellation: { requestedBy: "store", status: "done" },
      },
    };
  return withReason(request, reasonAfterReading(request));
}
