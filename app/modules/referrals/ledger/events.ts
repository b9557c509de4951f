import type { TimelineDetail, TimelineKind } from "../../kernel/timeline.ts";
import type { Canceller } from "../cancellation.ts";
import type { DocumentKind } from "../document.ts";
import type { OrderRisk } from "../order-risk.ts";
import type { ReferralPart, RequestState } from "../request.ts";
import type { RequestChange } from "../request-repository.ts";
import type { ReviewReason } from "../review-reason.ts";
import type { Attempt } from "./facts.ts";

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
  /** The details that it was ordered with were given again. */
  | { kind: "details_confirmed" }
  /** The list cannot be read until somebody changes something, so that nobody can find out. */
  | { kind: "unresolved"; attempt: number; code: string }
  /** A referral of it was read. */
  | { kind: "referrals_read" }
  /**
   * A result of it was read or released. `isShownNow`: its patient can see a critical one since this moment. `isCriticalShown`: they
   * can see one, whoever else is named by others; left out: nobody asked.
   */
  | { kind: "results_read"; hasUrgentHold: boolean; isShownNow: boolean; isCriticalShown?: boolean }
  /** The service's answer about one of its referrals or results cannot be read, or is that it has no such thing. */
  | { kind: "answer_unreadable"; uuid: string; code: "contract_mismatch" | "not_found" }
  /** It can be read again. */
  | { kind: "answer_read" }
  /** A referral of it was read that has other tests than were ordered, or none of its referrals has. */
  | { kind: "tests_read"; uuid: string; areOthers: boolean }
  /** A PDF of it cannot be had: its host is not allowed, or it was tried for too long. */
  | { kind: "document_missing"; document: DocumentKind; refusedHost: string | null }
  /** Every PDF of it that was looked for is here. */
  | { kind: "documents_here" }
  /** The details were corrected after they were ordered with, or the service refuses that. */
  | { kind: "correction_given"; correction: number }
  | { kind: "correction_refused"; correction: number }
  /** Its unit was ordered again: the request of the next generation. */
  | { kind: "replaced"; by: string }
  /** Staff let the patient keep a unit that the store took back. */
  | { kind: "kept" }
  /** A person has dealt with why one is needed. */
  | { kind: "handled"; reason: ReviewReason }
  /** A person takes back that they have dealt with it. */
  | { kind: "reopened"; reason: ReviewReason }
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
  /** It was cancelled before. */
  | "nothing";

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
