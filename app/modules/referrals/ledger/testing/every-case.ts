import { CANCELLERS, type Cancellation } from "../../cancellation.ts";
import { ORDER_RISKS } from "../../order-risk.ts";
import { REFERRAL_PARTS, REQUEST_STATES, type RequestState } from "../../request.ts";
import { parseReasonKey, RESULT_REASONS, type ReviewReason } from "../../review-reason.ts";
import type { LedgerEvent, Step } from "../events.ts";
import type { LedgerFacts, ReferralFacts, ResultFacts } from "../facts.ts";
import { transition } from "../transitions.ts";

/** One request, one event, and what the table makes of them. */
export interface Case {
  request: LedgerFacts;
  event: LedgerEvent;
  step: Step;
}

const at = new Date("2026-11-20T00:00:00Z");
const deadline = new Date(at.getTime() + 60_000);
const claimed = (attempt: number, attemptDeadlineAt = deadline) => ({
  attempt,
  attemptStartedAt: at,
  attemptDeadlineAt,
  recoveryLowerBound: at,
});

const REVIEW_REASONS: (ReviewReason | null)[] = [
  null,
  parseReasonKey("not_sent:unauthorized"),
  parseReasonKey("ambiguous"),
  parseReasonKey("half_created"),
  parseReasonKey("under_age_unclear"),
  parseReasonKey("half_rejected:115"),
  parseReasonKey("refunded_after_sending"),
  parseReasonKey("refunded_after_results"),
  parseReasonKey("withdrawal_refused"),
  parseReasonKey("consent_withdrawn"),
  parseReasonKey("under_age"),
  parseReasonKey("high_risk"),
  parseReasonKey("risk_pending"),
];
const BOTH = [false, true];

/** A cancelled request's cancellation is done; every other's is requested, or confirmed by the store or by staff. */
const cancellationsIn = (state: RequestState): (Cancellation | null)[] =>
  state === "cancelled"
    ? [null, ...CANCELLERS.map((requestedBy) => ({ requestedBy, status: "done" as const }))]
    : [
        null,
        { requestedBy: "store", status: "requested" },
        ...CANCELLERS.map((requestedBy) => ({ requestedBy, status: "confirmed" as const })),
      ];

/** A part is missing only once the other exists, so that nobody is asked for details any more. */
const partsIn = (state: RequestState) =>
  state === "awaiting_details" ? [null] : [null, ...REFERRAL_PARTS];

/** Requests of every state, with everything that the table looks at of their own rows. */
const OWN_FACTS: readonly LedgerFacts[] = REQUEST_STATES.flatMap((state) =>
  REVIEW_REASONS.flatMap((reviewReason) =>
    cancellationsIn(state).flatMap((cancellation) =>
      partsIn(state).flatMap((missingPart) =>
        BOTH.map((hasPatient) => ({
          ...{ state, reviewReason, cancellation, missingPart, hasPatient },
          ...claimed(2),
          ...{
            resultReason: null,
            handledReason: null,
            replacedBy: null,
            riskAccepted: false,
            underAge: reviewReason?.code.startsWith("under_age") === true,
            mailRefusedAt: null,
            kept: false,
            referrals: [],
            results: [],
          },
        })),
      ),
    ),
  ),
);

/** Reasons that news of the service give and end, and some that they must leave alone. */
const NEWS: (ReviewReason | null)[] = [
  null,
  parseReasonKey("details_overdue"),
  parseReasonKey("unresolved:unauthorized"),
  parseReasonKey("correction_refused"),
  parseReasonKey("duplicate_referral"),
  parseReasonKey("referral:FAILED_TEST"),
  parseReasonKey("deleted_at_service"),
  parseReasonKey("unreadable_at_service"),
  parseReasonKey("document_missing"),
  parseReasonKey("other_tests"),
  parseReasonKey("refunded_after_sending"),
  parseReasonKey("result_deleted"),
];

const referral = (change: Partial<ReferralFacts> = {}): ReferralFacts => ({
  ...{ uuid: "a", status: "ISSUED", medicare: false, deletedAt: null, replacedBy: null },
  otherPerson: false,
  ...change,
});
const result = (change: Partial<ResultFacts> = {}): ResultFacts => ({
  ...{ referralUuid: "a", releasedAt: null, inReview: false, deletedAt: null, otherPerson: false },
  ...change,
});

/** The combinations of referrals and results that the service may hold of a request. */
const HOLDINGS: Pick<LedgerFacts, "referrals" | "results">[] = [
  { referrals: [referral()], results: [] },
  { referrals: [referral(), referral()], results: [] },
  { referrals: [referral(), referral({ medicare: true })], results: [] },
  { referrals: [referral({ replacedBy: "b" }), referral({ uuid: "b" })], results: [] },
  { referrals: [referral({ status: "FAILED_TEST" })], results: [] },
  { referrals: [referral({ status: "NEW_TO_US" })], results: [] },
  { referrals: [referral({ deletedAt: at })], results: [] },
  { referrals: [referral({ otherPerson: true })], results: [result()] },
  { referrals: [referral({ status: "COMPLETE" })], results: [result()] },
  { referrals: [referral({ status: "COMPLETE" })], results: [result({ releasedAt: at })] },
  { referrals: [referral()], results: [result({ deletedAt: at })] },
  { referrals: [referral()], results: [result({ deletedAt: at }), result()] },
  { referrals: [referral()], results: [result({ otherPerson: true })] },
  { referrals: [referral()], results: [result({ otherPerson: true, deletedAt: at }), result()] },
];

/** Requests of every state, with what the service may hold of them. */
const HELD_FACTS: readonly LedgerFacts[] = REQUEST_STATES.flatMap((state) =>
  NEWS.flatMap((reviewReason) =>
    HOLDINGS.map((holding) => ({
      ...{
        state,
        reviewReason,
        cancellation: null,
        missingPart: null,
        hasPatient: true,
      },
      ...{ resultReason: null, handledReason: null, replacedBy: null, riskAccepted: false },
      ...{ mailRefusedAt: null, underAge: false, kept: false },
      ...{ ...claimed(2), ...holding },
    })),
  ),
);

/** Requests of which somebody has to see to a result, whatever else a person is needed for. */
const RESULT_FACTS: readonly LedgerFacts[] = HELD_FACTS.filter(
  ({ state, results }) => (state === "created" || state === "ambiguous") && results.length > 0,
).flatMap((facts) => RESULT_REASONS.map((resultReason) => ({ ...facts, resultReason })));

const SHOWN = parseReasonKey("urgent_result_shown");
const FAILED_TEST: ReviewReason = { code: "referral", detail: "FAILED_TEST" };

/** Requests whose reason was marked as handled: one that a referral's status gives, and one that tells what happened. */
const HANDLED_FACTS: readonly LedgerFacts[] = HELD_FACTS.filter(
  ({ state, reviewReason, referrals }) =>
    state === "created" &&
    (reviewReason?.code === "correction_refused" ||
      (reviewReason?.code === "referral" && referrals[0]?.status === "FAILED_TEST")),
).map((facts) => ({ ...facts, handledReason: facts.reviewReason }));

/** In every other state a child's date of birth takes the request back. */
const MAY_BE_UNDER_AGE: ReadonlySet<RequestState> = new Set([
  "awaiting_details",
  "sending",
  "ambiguous",
  "created",
]);

/** Requests with a child's date of birth, whatever else a person is needed for. */
const UNDER_AGE_FACTS: readonly LedgerFacts[] = [...OWN_FACTS, ...HELD_FACTS]
  .filter(
    ({ state, hasPatient, cancellation }) =>
      MAY_BE_UNDER_AGE.has(state) && hasPatient && cancellation === null,
  )
  .map((facts) => ({ ...facts, underAge: true }));

/** A request that the store takes back, with each reason that may stand then. */
const TAKEN_BACK_FACTS: readonly LedgerFacts[] = HELD_FACTS.filter(
  ({ state, reviewReason }) => state === "created" && reviewReason === null,
).flatMap((facts) =>
  ["refunded_after_sending", "withdrawal_refused"].map((code) => ({
    ...facts,
    reviewReason: parseReasonKey(code),
    cancellation: { requestedBy: "store" as const, status: "requested" as const },
  })),
);

export const REQUESTS: readonly LedgerFacts[] = [
  ...OWN_FACTS,
  ...HELD_FACTS,
  ...RESULT_FACTS,
  ...HANDLED_FACTS,
  ...UNDER_AGE_FACTS,
  ...TAKEN_BACK_FACTS,
];

/** Reports about the latest attempt, an earlier one, a later one, and another of the same number. */
const CLAIMS = [claimed(2), claimed(1), claimed(3), claimed(2, at)];

export const EVENTS: readonly LedgerEvent[] = [
  ...BOTH.map((isHeldByShop) => ({ kind: "details_given" as const, isHeldByShop })),
  { kind: "held" },
  { kind: "released" },
  ...ORDER_RISKS.map((risk) => ({ kind: "risk_read" as const, risk })),
  { kind: "claimed", at, deadlineAt: deadline, recoveryLowerBound: at },
  ...CLAIMS.flatMap((one): LedgerEvent[] => [
    { kind: "rejected", claimed: one, code: "115" },
    { kind: "not_sent", claimed: one, reason: null },
    { kind: "not_sent", claimed: one, reason: "unauthorized" },
    { kind: "unknown", claimed: one },
  ]),
  { kind: "overdue" },
  { kind: "found" },
  ...REFERRAL_PARTS.map((part) => ({ kind: "part_missing" as const, part, now: at })),
  ...[1, 2].flatMap((attempt): LedgerEvent[] => [
    { kind: "scan_counted", attempt, emptyScans: 1 },
    { kind: "left_to_person", attempt, emptyScans: 2 },
    { kind: "proved_unsent", attempt, emptyScans: 2 },
  ]),
  { kind: "retried" },
  ...CANCELLERS.flatMap((by) =>
    BOTH.flatMap((hasResults) =>
      BOTH.flatMap((mayBeElsewhere) =>
        (["automatic", "ask"] as const).map((refundPolicy) => ({
          kind: "cancellation_requested" as const,
          ...{ by, hasResults, mayBeElsewhere, refundPolicy },
        })),
      ),
    ),
  ),
  { kind: "wanted_again" },
  { kind: "turned_up" },
  { kind: "withdrawal_refused" },
  ...BOTH.map((wasStores) => ({ kind: "withdrawal_too_late" as const, wasStores })),
  ...BOTH.map((isReported) => ({ kind: "deleted" as const, isReported })),
  { kind: "details_overdue" },
  { kind: "under_age" },
  { kind: "details_confirmed" },
  ...[1, 2].map((attempt) => ({ kind: "unresolved" as const, attempt, code: "unauthorized" })),
  { kind: "referrals_read" },
  ...BOTH.flatMap((hasUrgentHold) =>
    BOTH.map((isShownNow) => ({ kind: "results_read" as const, hasUrgentHold, isShownNow })),
  ),
  { kind: "answer_unreadable", uuid: "a", code: "contract_mismatch" },
  { kind: "answer_read" },
  ...BOTH.map((areOthers) => ({ kind: "tests_read" as const, uuid: "a", areOthers })),
  { kind: "document_missing", document: "result", refusedHost: null },
  { kind: "document_missing", document: "referral", refusedHost: "files.example" },
  { kind: "documents_here" },
  { kind: "correction_given", correction: 3 },
  { kind: "correction_refused", correction: 3 },
  { kind: "replaced", by: "c" },
  { kind: "kept" },
  ...[FAILED_TEST, SHOWN].flatMap((reason): LedgerEvent[] => [
    { kind: "handled", reason },
    { kind: "reopened", reason },
  ]),
  { kind: "handed_over" },
  { kind: "redacted" },
  { kind: "consent_withdrawn" },
];

/** Every request with every event that changes something. */
export function everyCase(): Case[] {
  return REQUESTS.flatMap((request) =>
    EVENTS.flatMap((event) => {
      const step = transition(request, event);
      return typeof step === "string" ? [] : [{ request, event, step }];
    }),
  );
}
