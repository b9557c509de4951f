import { HALVES, REQUEST_STATES, type RequestState, WITHDRAWERS } from "../../request.ts";
import type { ReviewReason } from "../../review-reason.ts";
import { type LedgerEvent, type LedgerFacts, type Step, transition } from "../transitions.ts";

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
  scanFrom: at,
});

const ATTENTIONS: (ReviewReason | null)[] = [
  null,
  "not_sent:unauthorized",
  "ambiguous",
  "half_created",
  "half_rejected:115",
  "refunded_after_sending",
  "refunded_after_results",
  "withdrawal_refused",
];
const BOTH = [false, true];

/** A half is missing only once the other exists, so that nobody is asked for details any more. */
const halvesIn = (state: RequestState) =>
  state === "awaiting_details" ? [null] : [null, ...HALVES];

/** Requests of every state, with everything that the table looks at. */
export const REQUESTS: readonly LedgerFacts[] = REQUEST_STATES.flatMap((state) =>
  ATTENTIONS.flatMap((attention) =>
    BOTH.flatMap((unwanted) =>
      [null, ...WITHDRAWERS].flatMap((withdrawnBy) =>
        halvesIn(state).flatMap((half) =>
          BOTH.map((hasPatient) => ({
            ...{ state, attention, unwanted, withdrawnBy, half, hasPatient },
            ...claimed(2),
          })),
        ),
      ),
    ),
  ),
);

/** Reports about the latest attempt, an earlier one, a later one, and another of the same number. */
const CLAIMS = [claimed(2), claimed(1), claimed(3), claimed(2, at)];

export const EVENTS: readonly LedgerEvent[] = [
  ...BOTH.map((isHeldByShop) => ({ kind: "details_given" as const, isHeldByShop })),
  { kind: "held" },
  { kind: "released" },
  { kind: "claimed", at, deadlineAt: deadline, scanFrom: at },
  ...CLAIMS.flatMap((one): LedgerEvent[] => [
    { kind: "rejected", claimed: one, code: "115" },
    { kind: "not_sent", claimed: one, reason: null },
    { kind: "not_sent", claimed: one, reason: "unauthorized" },
    { kind: "unknown", claimed: one },
  ]),
  { kind: "overdue" },
  { kind: "found" },
  ...HALVES.map((half) => ({ kind: "half_missing" as const, half, now: at })),
  ...[1, 2].flatMap((attempt): LedgerEvent[] => [
    { kind: "scan_counted", attempt, emptyScans: 1 },
    { kind: "left_to_person", attempt, emptyScans: 2 },
    { kind: "proved_unsent", attempt, emptyScans: 2 },
  ]),
  { kind: "retried" },
  ...WITHDRAWERS.flatMap((by) =>
    BOTH.flatMap((hasResults) =>
      BOTH.flatMap((mayBeElsewhere) =>
        (["automatic", "ask"] as const).map((refundPolicy) => ({
          kind: "given_up" as const,
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
