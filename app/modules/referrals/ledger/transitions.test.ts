/** Long because it holds the table of transitions, move by move. */
import { describe, expect, test } from "vitest";
import { isUnsent, REQUEST_STATES } from "../request.ts";
import { parseReasonKey } from "../review-reason.ts";
import type { LedgerEvent } from "./events.ts";
import type { LedgerFacts } from "./facts.ts";
import { type Case, EVENTS, everyCase, REQUESTS } from "./testing/every-case.ts";
import { TRANSITIONS, transition } from "./transitions.ts";

let made: Case[] | null = null;
/** Every case, made by the first test that asks: a fault that shows while a file is loaded is told of no test. */
function cases(): Case[] {
  made ??= everyCase();
  return made;
}

/** Cases that contradict a rule, in short. */
const against = (isBroken: (one: Case) => boolean) =>
  cases()
    .filter(isBroken)
    .map(({ request, event, step }) => ({ request, event, step }));

const facts = (change: Partial<LedgerFacts>): LedgerFacts => ({
  ...(REQUESTS[0] as LedgerFacts),
  hasPatient: true,
  ...change,
});
const ISSUED = {
  uuid: "a",
  status: "ISSUED",
  medicare: false,
  deletedAt: null,
  replacedBy: null,
  otherPerson: false,
};
const FAILED = { ...ISSUED, status: "FAILED_TEST" };
const DUPLICATE = parseReasonKey("duplicate_referral");
const REFUSED = parseReasonKey("correction_refused");
/** Reasons of which nothing more is decided once a person has dealt with them. */
const DEALT_WITH = [
  ...["correction_refused", "withdrawal_too_late", "result_deleted"],
  ...["half_rejected:115", "under_age", "unreadable_at_service", "bought_again"],
];
const TWO_REFERRALS = [ISSUED, ISSUED];
const DELETED = { ...ISSUED, deletedAt: new Date(5) };
const RESULT = {
  ...{ referralUuid: "a", releasedAt: null, inReview: false, deletedAt: null, otherPerson: false },
};
const NOT_DELETED = parseReasonKey("withdrawal_refused");
const UNREADABLE = parseReasonKey("unreadable_at_service");
const OTHER_TESTS = parseReasonKey("other_tests");
const TAKEN_BACK = {
  state: "created",
  reviewReason: parseReasonKey("refunded_after_sending"),
  cancellation: { requestedBy: "store", status: "requested" },
} as const;
const CONFIRMED = {
  state: "created",
  cancellation: { requestedBy: "store", status: "confirmed" },
} as const;
const REFUNDED: LedgerEvent = {
  kind: "cancellation_requested",
  by: "store",
  hasResults: false,
  refundPolicy: "ask",
  mayBeElsewhere: false,
};
const latest = { attempt: 2, attemptStartedAt: null, recoveryLowerBound: null };

const REJECTED = { code: "rejected", detail: "HTTP_400" } as const;

/** Only these end that the last date of birth was refused: other details, another owner, or none any more. */
const TAKES_BACK_THE_AGE: ReadonlySet<string> = new Set([
  "details_given",
  "details_confirmed",
  "correction_given",
  "handed_over",
  "redacted",
]);

const areAllDeleted = ({ referrals, results }: LedgerFacts) =>
  referrals.length > 0 && referrals.every((one) => one.deletedAt !== null) && results.length === 0;

/** A result was read, a person dealt with it, nothing is left of it, or the whole was ordered again. */
const ENDS_REASON_OF_RESULT: ReadonlySet<string> = new Set([
  "results_read",
  "handled",
  "deleted",
  "replaced",
  "redacted",
]);

test("sends a refused request no more that was ordered again", () => {
  const event = { kind: "retried" } as const;
  const refused = facts({ state: "rejected" });
  expect(transition(refused, event)).toMatchObject({ to: "ready" });
  expect(transition({ ...refused, replacedBy: "next" }, event)).toBe("does_not_apply");
});

test.each<[string, LedgerFacts, LedgerEvent, object | string]>([
  [
    "keeps the first attempt's beginning when it is claimed once more",
    facts({ state: "ready", attemptStartedAt: new Date(5) }),
    { kind: "claimed", at: new Date(9), deadlineAt: new Date(10), recoveryLowerBound: new Date(1) },
    {
      to: "sending",
      change: {
        attemptStartedAt: new Date(5),
        attemptDeadlineAt: new Date(10),
        recoveryLowerBound: new Date(1),
        emptyScans: 0,
      },
    },
  ],
  [
    "keeps the part that exists when the other is refused",
    facts({ state: "sending", missingPart: "medicare", attemptDeadlineAt: null }),
    { kind: "rejected", claimed: { ...latest, attemptDeadlineAt: null }, code: "115" },
    { to: "created", change: { reviewReason: { code: "half_rejected", detail: "115" } } },
  ],
  [
    "brings back the attempt that a restored database forgot",
    facts({ state: "rejected", attempt: 1 }),
    { kind: "unknown", claimed: { ...latest, attemptDeadlineAt: new Date(7) } },
    { to: "ambiguous", change: { attempt: 2, attemptDeadlineAt: new Date(7), emptyScans: 0 } },
  ],
  [
    "cannot look for a forgotten attempt whose patient is forgotten too",
    facts({ state: "ready", attempt: 1, hasPatient: false }),
    { kind: "unknown", claimed: { ...latest, attemptDeadlineAt: new Date(7) } },
    "other_attempt",
  ],
  [
    "takes no details for what one referral exists of",
    facts({ state: "ready", missingPart: "medicare" }),
    { kind: "details_given", isHeldByShop: false },
    "does_not_apply",
  ],
  [
    "keeps what somebody holds when other details are given",
    facts({ state: "held", hasPatient: true }),
    { kind: "details_given", isHeldByShop: false },
    { to: "held", change: { reviewReason: null, underAge: false }, records: "details_corrected" },
  ],
  [
    "has an order assessed again that Shopify's assessment holds when other details are given",
    facts({ state: "held", hasPatient: true, reviewReason: { code: "high_risk", detail: null } }),
    { kind: "details_given", isHeldByShop: false },
    {
      ...{ to: "ready", change: { reviewReason: null, underAge: false } },
      ...{ records: "details_corrected", queues: "create-referral" },
    },
  ],
  [
    "sends a refused test that somebody has settled by hand with other details only once it is released",
    facts({
      ...{ state: "rejected", hasPatient: true },
      ...{ reviewReason: REJECTED, handledReason: REJECTED },
    }),
    { kind: "details_given", isHeldByShop: false },
    { to: "held", change: { reviewReason: null, underAge: false }, records: "details_corrected" },
  ],
  [
    "shows a refunded unit with results to a person, and deletes nothing",
    facts({ state: "created" }),
    {
      kind: "cancellation_requested",
      by: "store",
      hasResults: true,
      refundPolicy: "automatic",
      mayBeElsewhere: false,
    },
    {
      to: "created",
      change: { reviewReason: { code: "refunded_after_results", detail: null } },
      outcome: "kept",
    },
  ],
  [
    "keeps a unit with results that staff cancel",
    facts({ state: "created" }),
    {
      kind: "cancellation_requested",
      by: "staff",
      hasResults: true,
      refundPolicy: "automatic",
      mayBeElsewhere: false,
    },
    { to: "created", change: { missingPart: null }, outcome: "kept" },
  ],
  [
    "waits for a click where the shop asks for one",
    facts({ state: "created" }),
    {
      kind: "cancellation_requested",
      by: "store",
      hasResults: false,
      refundPolicy: "ask",
      mayBeElsewhere: false,
    },
    {
      change: { reviewReason: { code: "refunded_after_sending", detail: null } },
      records: "request_surplus",
      outcome: "asked",
    },
  ],
  [
    "deletes at once what staff cancel, whatever the refund policy",
    facts({ state: "created" }),
    {
      kind: "cancellation_requested",
      by: "staff",
      hasResults: false,
      refundPolicy: "ask",
      mayBeElsewhere: false,
    },
    {
      change: { cancellation: { requestedBy: "staff", status: "confirmed" } },
      queues: "delete-referrals",
      outcome: "deleting",
    },
  ],
  [
    "keeps the store's wish the store's when staff click",
    facts({
      state: "created",
      cancellation: { requestedBy: "store", status: "requested" },
      reviewReason: { code: "refunded_after_sending", detail: null },
    }),
    {
      kind: "cancellation_requested",
      by: "staff",
      hasResults: false,
      refundPolicy: "ask",
      mayBeElsewhere: false,
    },
    {
      change: { cancellation: { requestedBy: "store", status: "confirmed" } },
      outcome: "deleting",
    },
  ],
  [
    "notes of what is being sent that nobody wants it, and waits",
    facts({ state: "sending" }),
    {
      kind: "cancellation_requested",
      by: "store",
      hasResults: false,
      refundPolicy: "ask",
      mayBeElsewhere: false,
    },
    {
      to: "sending",
      change: { cancellation: { requestedBy: "store", status: "requested" } },
      outcome: "unsettled",
    },
  ],
  [
    "makes it the store's when staff and the store want it gone",
    facts({ state: "ambiguous", cancellation: { requestedBy: "store", status: "requested" } }),
    {
      kind: "cancellation_requested",
      by: "staff",
      hasResults: false,
      refundPolicy: "ask",
      mayBeElsewhere: false,
    },
    { change: { cancellation: { requestedBy: "store", status: "confirmed" } } },
  ],
  [
    "asks nobody any more about what is given up, and looks once more",
    facts({ state: "ambiguous", reviewReason: { code: "ambiguous", detail: null } }),
    {
      kind: "cancellation_requested",
      by: "store",
      hasResults: false,
      refundPolicy: "ask",
      mayBeElsewhere: true,
    },
    {
      change: { reviewReason: null, cancellation: { requestedBy: "store", status: "requested" } },
      queues: "resolve-ambiguous",
    },
  ],
  [
    "leaves it to the person where no scan can prove anything",
    facts({
      state: "ambiguous",
      reviewReason: { code: "ambiguous", detail: null },
      cancellation: { requestedBy: "store", status: "requested" },
    }),
    {
      kind: "cancellation_requested",
      by: "store",
      hasResults: false,
      refundPolicy: "ask",
      mayBeElsewhere: true,
    },
    { to: "ambiguous", change: {}, outcome: "unsettled" },
  ],
  [
    "ends what was deleted because nobody wants it",
    facts({ state: "created", cancellation: { requestedBy: "store", status: "confirmed" } }),
    { kind: "deleted", isReported: false },
    { to: "cancelled" },
  ],
  [
    "tells of a deletion that met results",
    facts({ state: "created", cancellation: { requestedBy: "store", status: "confirmed" } }),
    { kind: "deleted", isReported: true },
    {
      to: "created",
      change: {
        reviewReason: { code: "deleted_with_results", detail: null },
        cancellation: { requestedBy: "store", status: "requested" },
      },
    },
  ],
  [
    "offers what was bought again while it was deleted",
    facts({ state: "created", cancellation: null }),
    { kind: "deleted", isReported: false },
    { to: "created", change: { reviewReason: { code: "deleted_at_service", detail: null } } },
  ],
  [
    "counts a cancelled unit's late referral as created, and the store's",
    facts({ state: "cancelled", cancellation: null }),
    { kind: "turned_up" },
    { to: "created", change: { cancellation: { requestedBy: "store", status: "requested" } } },
  ],
  [
    "forgets that somebody was asked when the unit is bought again",
    facts({
      state: "created",
      cancellation: { requestedBy: "store", status: "requested" },
      reviewReason: { code: "refunded_after_sending", detail: null },
    }),
    { kind: "wanted_again" },
    { to: "created", change: { cancellation: null, reviewReason: null } },
  ],
  [
    "asks whether another test was bought when a unit with results is bought again",
    facts({
      ...{ state: "created", referrals: [{ ...ISSUED, status: "COMPLETE" }] },
      cancellation: { requestedBy: "store", status: "requested" },
      reviewReason: { code: "refunded_after_results", detail: null },
      handledReason: { code: "bought_again", detail: null },
    }),
    { kind: "wanted_again" },
    {
      to: "created",
      change: {
        cancellation: null,
        reviewReason: { code: "bought_again", detail: null },
        handledReason: null,
      },
    },
  ],
  [
    "asks the same of a unit with results whose refund nobody was told of",
    facts({
      ...{ state: "created", referrals: [{ ...ISSUED, status: "COMPLETE" }] },
      cancellation: { requestedBy: "store", status: "requested" },
    }),
    { kind: "wanted_again" },
    { change: { cancellation: null, reviewReason: { code: "bought_again", detail: null } } },
  ],
  [
    "tells of a second referral beside the critical result",
    facts({
      ...{ state: "created", resultReason: "urgent_result_shown" },
      ...{ referrals: TWO_REFERRALS, results: [] },
    }),
    { kind: "referrals_read" },
    { change: { reviewReason: { code: "duplicate_referral", detail: null } } },
  ],
  [
    "names a critical result that was dealt with until something else needs somebody",
    facts({ state: "created", resultReason: "urgent_result_shown" }),
    { kind: "handled", reason: { code: "urgent_result_shown", detail: null } },
    {
      change: {
        resultReason: null,
        handledReason: { code: "urgent_result_shown", detail: null },
      },
    },
  ],
  ...DEALT_WITH.flatMap((key) => {
    const reviewReason = parseReasonKey(key);
    const failed = { code: "referral", detail: "FAILED_TEST" } as const;
    const dealtWith = { state: "created", reviewReason, handledReason: reviewReason } as const;
    return [
      [
        `tells of what comes after ${key} was dealt with`,
        facts({ ...dealtWith, referrals: [FAILED] }),
        { kind: "referrals_read" },
        { change: { reviewReason: failed } },
      ],
      [
        `tells of a missing form after ${key} was dealt with`,
        facts(dealtWith),
        { kind: "document_missing", document: "referral", refusedHost: null },
        { change: { reviewReason: { code: "document_missing" } } },
      ],
      [
        `keeps ${key} as dealt with while nothing else comes`,
        facts({ ...dealtWith, referrals: [ISSUED] }),
        { kind: "referrals_read" },
        "nothing_new",
      ],
      [
        `tells of what came while ${key} was open once it is dealt with`,
        facts({ state: "created", reviewReason, referrals: [FAILED] }),
        { kind: "handled", reason: reviewReason },
        { change: { reviewReason: failed, handledReason: null } },
      ],
    ] as [string, LedgerFacts, LedgerEvent, object | string][];
  }),
  [
    "tells of a failed test among two referrals that a person knows of",
    facts({
      ...{ state: "created", referrals: [FAILED, ISSUED] },
      ...{ reviewReason: DUPLICATE, handledReason: DUPLICATE },
    }),
    { kind: "referrals_read" },
    { change: { reviewReason: { code: "referral", detail: "FAILED_TEST" } } },
  ],
  [
    "keeps two referrals as dealt with while both are well",
    facts({
      ...{ state: "created", referrals: TWO_REFERRALS },
      ...{ reviewReason: DUPLICATE, handledReason: DUPLICATE },
    }),
    { kind: "referrals_read" },
    "nothing_new",
  ],
  [
    "tells of a second referral though a refused correction was dealt with",
    facts({
      ...{ state: "created", referrals: TWO_REFERRALS },
      ...{ reviewReason: REFUSED, handledReason: REFUSED },
    }),
    { kind: "referrals_read" },
    { change: { reviewReason: DUPLICATE } },
  ],
  [
    "lets nobody wave another reason away from behind a critical result",
    facts({
      ...{ state: "created", resultReason: "urgent_result_shown" },
      reviewReason: { code: "correction_refused", detail: null },
    }),
    { kind: "handled", reason: { code: "correction_refused", detail: null } },
    "does_not_apply",
  ],
  [
    "looks for the other part from now on when the attempt is forgotten",
    facts({ state: "awaiting_details", attemptDeadlineAt: null }),
    { kind: "part_missing", part: "medicare", now: new Date(3) },
    {
      to: "ambiguous",
      change: { missingPart: "medicare", attemptDeadlineAt: new Date(3), emptyScans: 0 },
    },
  ],
  ...(["result_other_person", "referral_other_person"] as const).map(
    (resultReason): [string, LedgerFacts, LedgerEvent, object] => [
      `needs nobody for ${resultReason} any more once the referral is deleted`,
      facts({ state: "created", resultReason }),
      { kind: "deleted", isReported: true },
      { to: "created", change: { resultReason: null } },
    ],
  ),
  [
    "keeps that a patient was shown a critical result when its referral is deleted",
    facts({ state: "created", resultReason: "urgent_result_shown" }),
    { kind: "deleted", isReported: true },
    { to: "created", change: { resultReason: "urgent_result_shown" } },
  ],
  [
    "keeps that the money is to be given back when a unit ends because its patient wanted everything deleted",
    facts({ ...CONFIRMED, reviewReason: parseReasonKey("consent_withdrawn") }),
    { kind: "deleted", isReported: false },
    { to: "cancelled", change: { reviewReason: { code: "consent_withdrawn", detail: null } } },
  ],
  [
    "needs nobody for a unit that ended with its referral",
    facts({ ...CONFIRMED, reviewReason: REFUSED, resultReason: "urgent_result_held" }),
    { kind: "deleted", isReported: false },
    { to: "cancelled", change: { reviewReason: null, resultReason: null } },
  ],
  [
    "takes no unit for deleted of which a referral was made meanwhile",
    facts({ ...CONFIRMED, referrals: [DELETED, { ...ISSUED, uuid: "b" }] }),
    { kind: "deleted", isReported: false },
    "does_not_apply",
  ],
  [
    "ends what the store took back with the last of its referrals, whoever deleted it",
    facts({ ...TAKEN_BACK, referrals: [DELETED] }),
    { kind: "referrals_read" },
    {
      to: "cancelled",
      change: {
        ...{ reviewReason: null, missingPart: null },
        cancellation: { requestedBy: "store", status: "done" },
      },
    },
  ],
  [
    "keeps what the store took back for as long as one of its referrals is there",
    facts({ ...TAKEN_BACK, referrals: [DELETED, { ...ISSUED, uuid: "b", medicare: true }] }),
    { kind: "referrals_read" },
    "nothing_new",
  ],
  [
    "keeps what the store took back when somebody's results are attached to it",
    facts({ ...TAKEN_BACK, referrals: [DELETED], results: [RESULT] }),
    { kind: "referrals_read" },
    "nothing_new",
  ],
  ...["COMPLETE", "PARTIAL_RESULTS"].map((status): [string, LedgerFacts, LedgerEvent, string] => [
    `keeps what the store took back when it was deleted as ${status}, before its results came`,
    facts({ ...TAKEN_BACK, referrals: [{ ...DELETED, status }] }),
    { kind: "referrals_read" },
    "nothing_new",
  ]),
  [
    "keeps what its patient was let keep, though the service deleted it",
    facts({ ...TAKEN_BACK, kept: true, referrals: [DELETED] }),
    { kind: "referrals_read" },
    "nothing_new",
  ],
  [
    "keeps what staff gave up and the service deleted before",
    facts({ state: "created", cancellation: null, referrals: [DELETED] }),
    { kind: "referrals_read" },
    { to: "created", change: { reviewReason: { code: "deleted_at_service", detail: null } } },
  ],
  [
    "reads nothing into the referrals of a unit that is being deleted",
    facts({ ...CONFIRMED, referrals: [FAILED] }),
    { kind: "referrals_read" },
    "does_not_apply",
  ],
  ...[{ deletedAt: new Date(5) }, { replacedBy: "next" }].map(
    (gone): [string, LedgerFacts, LedgerEvent, object] => [
      `asks nobody about a refund of which nothing is left to keep: ${Object.keys(gone)}`,
      facts({ state: "created", referrals: [{ ...ISSUED, ...gone }] }),
      REFUNDED,
      {
        change: { cancellation: { requestedBy: "store", status: "confirmed" } },
        ...{ queues: "delete-referrals", outcome: "deleting" },
      },
    ],
  ),
  [
    "keeps what the store took back when one of two deleted parts had been reported",
    facts({
      ...TAKEN_BACK,
      referrals: [DELETED, { ...DELETED, uuid: "b", medicare: true, status: "COMPLETE" }],
    }),
    { kind: "referrals_read" },
    "nothing_new",
  ],
  [
    "says that a referral is gone once it is, though the service refused to delete it before",
    facts({ state: "created", reviewReason: NOT_DELETED, referrals: [DELETED] }),
    { kind: "referrals_read" },
    { change: { reviewReason: { code: "deleted_at_service", detail: null } } },
  ],
  [
    "keeps that the service refused to delete a referral for as long as it is there",
    facts({ state: "created", reviewReason: NOT_DELETED, referrals: [ISSUED] }),
    { kind: "referrals_read" },
    "nothing_new",
  ],
  ...["document_missing", "document_refused:files.example"].flatMap((key) => {
    const reviewReason = parseReasonKey(key);
    const missing = { state: "created", reviewReason, referrals: [ISSUED] } as const;
    const unreadable = { kind: "answer_unreadable", uuid: "a", code: "not_found" } as const;
    return [
      [
        `needs nobody for ${key} any more once every PDF is here`,
        facts(missing),
        { kind: "documents_here" },
        { change: { reviewReason: null } },
      ],
      [
        `tells of an answer that nobody can read after ${key} was dealt with`,
        facts({ ...missing, handledReason: reviewReason }),
        unreadable,
        { change: { reviewReason: { code: "unreadable_at_service" } } },
      ],
      [
        `tells of no unreadable answer while ${key} is open`,
        facts(missing),
        unreadable,
        "nothing_new",
      ],
    ] as [string, LedgerFacts, LedgerEvent, object | string][];
  }),
  [
    "tells of other tests, with the referral that has them",
    facts({ state: "created", referrals: [ISSUED] }),
    { kind: "tests_read", uuid: "a", areOthers: true },
    {
      ...{ to: "created", change: { reviewReason: OTHER_TESTS } },
      ...{ records: "referral_other_tests", detail: { uuid: "a" } },
    },
  ],
  ...[null, OTHER_TESTS].map((handledReason): [string, LedgerFacts, LedgerEvent, string] => [
    `tells of other tests once, ${handledReason ? "also after a person has dealt with them" : "while they are open"}`,
    facts({ state: "created", reviewReason: OTHER_TESTS, handledReason, referrals: [ISSUED] }),
    { kind: "tests_read", uuid: "a", areOthers: true },
    "nothing_new",
  ]),
  [
    "tells of no other tests while something else is open",
    facts({ state: "created", reviewReason: UNREADABLE, referrals: [ISSUED] }),
    { kind: "tests_read", uuid: "a", areOthers: true },
    "nothing_new",
  ],
  [
    "tells of no other tests of a unit that is being deleted",
    facts({ ...CONFIRMED, referrals: [ISSUED] }),
    { kind: "tests_read", uuid: "a", areOthers: true },
    "does_not_apply",
  ],
  [
    "needs somebody for the referral's state once its tests are right",
    facts({ state: "created", reviewReason: OTHER_TESTS, referrals: [FAILED] }),
    { kind: "tests_read", uuid: "a", areOthers: false },
    { change: { reviewReason: { code: "referral", detail: "FAILED_TEST" } } },
  ],
  [
    "leaves every other reason alone when tests are right",
    facts({ state: "created", reviewReason: UNREADABLE, referrals: [ISSUED] }),
    { kind: "tests_read", uuid: "a", areOthers: false },
    "nothing_new",
  ],
  [
    "tells of one answer that nobody can read once, though a person has dealt with it",
    facts({ state: "created", reviewReason: UNREADABLE, handledReason: UNREADABLE }),
    { kind: "answer_unreadable", uuid: "a", code: "not_found" },
    "nothing_new",
  ],
  [
    "keeps somebody's results from the wrong person for as long as they are there",
    facts({ state: "created", results: [{ ...RESULT, otherPerson: true }] }),
    { kind: "results_read", hasUrgentHold: true, isShownNow: false },
    { change: { resultReason: "result_other_person" } },
  ],
  [
    "tells first of a critical result that its patient can see, whoever another one names",
    facts({
      ...{ state: "created", resultReason: "urgent_result_shown" },
      results: [
        { ...RESULT, otherPerson: true },
        { ...RESULT, releasedAt: new Date(5) },
      ],
    }),
    { kind: "results_read", hasUrgentHold: false, isShownNow: false, isCriticalShown: true },
    "nothing_new",
  ],
  [
    "tells first of a critical result that its patient can see since now, whoever another one names",
    facts({ state: "created", results: [{ ...RESULT, otherPerson: true }] }),
    { kind: "results_read", hasUrgentHold: false, isShownNow: true, isCriticalShown: true },
    { change: { resultReason: "urgent_result_shown" } },
  ],
  [
    "tells of another person's result where somebody has rung about the critical one",
    facts({ state: "created", results: [{ ...RESULT, otherPerson: true }] }),
    { kind: "results_read", hasUrgentHold: false, isShownNow: false, isCriticalShown: true },
    { change: { resultReason: "result_other_person" } },
  ],
  [
    "needs nobody for another person's results that the service took back",
    facts({
      ...{ state: "created", resultReason: "result_other_person" },
      results: [{ ...RESULT, otherPerson: true, deletedAt: new Date(5) }, RESULT],
    }),
    { kind: "results_read", hasUrgentHold: false, isShownNow: false },
    { change: { resultReason: null } },
  ],
  [
    "asks again about a unit that its patient was let keep",
    facts({ ...TAKEN_BACK, kept: true, handledReason: TAKEN_BACK.reviewReason }),
    { kind: "reopened", reason: TAKEN_BACK.reviewReason },
    { change: { handledReason: null, kept: false } },
  ],
  [
    "leaves a unit kept when another of its reasons is asked about again",
    facts({ state: "created", kept: true, reviewReason: REFUSED, handledReason: REFUSED }),
    { kind: "reopened", reason: REFUSED },
    { change: { handledReason: null } },
  ],
  [
    "brings back a critical result that was dealt with, and nothing stays dealt with",
    facts({
      ...{ state: "created", handledReason: parseReasonKey("urgent_result_shown") },
      results: [{ ...RESULT, releasedAt: new Date(5) }],
    }),
    { kind: "reopened", reason: parseReasonKey("urgent_result_shown") },
    { change: { resultReason: "urgent_result_shown", handledReason: null } },
  ],
  [
    "tells why nobody can find out what became of an attempt when it is another reason",
    facts({ state: "ambiguous", reviewReason: parseReasonKey("unresolved:unauthorized") }),
    { kind: "unresolved", attempt: 2, code: "no_connection" },
    { change: { reviewReason: { code: "unresolved", detail: "no_connection" } } },
  ],
  [
    "tells nothing of that to a person who was asked to decide",
    facts({ state: "ambiguous", reviewReason: parseReasonKey("ambiguous") }),
    { kind: "unresolved", attempt: 2, code: "no_connection" },
    "nothing_new",
  ],
  [
    "asks about a refund of which one part is left",
    facts({ state: "created", referrals: [DELETED, { ...ISSUED, uuid: "b", medicare: true }] }),
    REFUNDED,
    { outcome: "asked" },
  ],
])("%s", (_, request, event, expected) => {
  const step = transition(request, event);
  if (typeof expected === "string") expect(step).toBe(expected);
  else expect(step).toMatchObject(expected);
});

test("keeps a reason that tells of no refund when a unit with results is bought again", () => {
  const request = facts({
    ...{ state: "created", reviewReason: REFUSED, results: [RESULT] },
    cancellation: { requestedBy: "store", status: "requested" },
  });
  expect(transition(request, { kind: "wanted_again" })).toEqual({
    to: "created",
    change: { cancellation: null, kept: false },
  });
});

describe("the table of the ledger", () => {
  test("knows every event, and every event moves something", () => {
    const kinds = new Set(Object.values(TRANSITIONS).flatMap((moves) => Object.keys(moves)));
    expect([...kinds].toSorted()).toEqual([...new Set(EVENTS.map(({ kind }) => kind))].toSorted());
    expect(new Set(cases().map(({ event }) => event.kind))).toEqual(kinds);
  });

  test("lets a call leave from ready alone, as one more attempt", () => {
    const claims = cases().filter(
      ({ request, step }) => step.to === "sending" && request.state !== "sending",
    );
    expect(new Set(claims.map(({ request, event }) => `${request.state} ${event.kind}`))).toEqual(
      new Set(["ready claimed"]),
    );
    for (const { request, step } of claims) expect(step.change.attempt).toBe(request.attempt + 1);
  });

  test("ends only what certainly does not exist at the service, or was deleted there", () => {
    expect(
      against(
        ({ request, event, step }) =>
          step.to === "cancelled" &&
          request.state !== "cancelled" &&
          !isUnsent(request) &&
          event.kind !== "deleted" &&
          !(event.kind === "referrals_read" && areAllDeleted(request)),
      ),
    ).toEqual([]);
  });

  test("sends nothing again that was given up", () => {
    expect(
      against(
        ({ request, step }) =>
          request.cancellation !== null &&
          step.queues === "create-referral" &&
          step.change.cancellation !== null &&
          step.records === "retry_asked",
      ),
    ).toEqual([]);
  });

  test("lets no report end another attempt than its own", () => {
    const isReport = (event: LedgerEvent) => event.kind === "rejected" || event.kind === "not_sent";
    expect(
      against(
        ({ request, event }) =>
          isReport(event) &&
          "claimed" in event &&
          (event.claimed.attempt !== request.attempt ||
            event.claimed.attemptDeadlineAt?.getTime() !== request.attemptDeadlineAt?.getTime()),
      ),
    ).toEqual([]);
  });

  test("goes back to ready only by proof, by a person, by a changed assessment, or with new details", () => {
    const ways = cases().filter(
      ({ request, step }) => step.to === "ready" && request.state !== "ready",
    );
    expect(new Set(ways.map(({ event }) => event.kind))).toEqual(
      new Set(["details_given", "released", "risk_read", "not_sent", "proved_unsent", "retried"]),
    );
  });

  test("sends nothing with a date of birth that was taken back, whatever a person is needed for", () => {
    expect(
      against(
        ({ request, event, step }) =>
          request.underAge &&
          (step.to === "ready" || step.to === "sending") &&
          step.to !== request.state &&
          event.kind !== "details_given",
      ),
    ).toEqual([]);
    expect(
      against(
        ({ request, event, step }) =>
          request.underAge && step.change.underAge === false && !TAKES_BACK_THE_AGE.has(event.kind),
      ),
    ).toEqual([]);
  });

  test("lets only results, and whoever deals with them, end why somebody has to see to one", () => {
    expect(
      against(
        ({ request, event, step }) =>
          request.resultReason !== null &&
          step.change.resultReason !== undefined &&
          step.change.resultReason !== request.resultReason &&
          !ENDS_REASON_OF_RESULT.has(event.kind),
      ),
    ).toEqual([]);
    // Nothing is decided by it about what is still to be sent.
    const { state, ...bare } = REQUESTS.find(({ resultReason }) => resultReason) ?? facts({});
    for (const event of EVENTS) {
      if (ENDS_REASON_OF_RESULT.has(event.kind) || event.kind === "reopened") continue;
      expect(transition({ ...bare, state }, event), event.kind).toEqual(
        transition({ ...bare, state, resultReason: null }, event),
      );
    }
  });

  test("says of every event about giving up how far it came", () => {
    expect(
      against(
        ({ event, step }) =>
          (event.kind === "cancellation_requested") !== (step.outcome !== undefined),
      ),
    ).toEqual([]);
  });
});

/**
 * Not a proof that a rule is right, but a printed copy of all of them: whoever changes one sees in the difference of this
 * file what else it changed. `vitest -u` writes it anew.
 */
test("is the table as printed in transitions.table.txt", async () => {
  const lines = REQUEST_STATES.flatMap((state) =>
    EVENTS.flatMap((event) => {
      const requests = REQUESTS.filter((request) => request.state === state);
      const answers = Map.groupBy(requests, (request) => write(transition(request, event)));
      const known = [...answers].filter(([answer]) => answer !== "does_not_apply");
      if (known.length === 0) return [];
      return [
        `${state} · ${inShort(write(event))}`,
        ...known.map(
          ([answer, those]) => `    ${those.length} of ${requests.length}: ${inShort(answer)}`,
        ),
      ];
    }),
  );
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("./transitions.table.txt");
});

const write = (one: object | string): string =>
  typeof one === "string" ? one : JSON.stringify(one);
/** Kind first, dates by what they are. */
const inShort = (written: string): string => written.replaceAll('"', "").replaceAll(",", ", ");
