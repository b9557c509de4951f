import type { OrderId } from "./ids.ts";

/** The one who acted. */
export type Actor = "pathway" | "shopify" | "service" | "shopper" | `staff:${string}`;

/** Everything that can happen to an order or a request; reports/timeline-words.ts words each one for people. */
export const TIMELINE_KINDS = [
  "order_read",
  "customer_changed",
  "order_not_visible",
  "order_unmapped_line",
  "order_cancelled",
  "request_opened",
  "request_cancelled",
  "request_surplus",
  "withdrawal_asked",
  "withdrawal_too_late",
  "withdrawal_refused",
  "request_withdrawn",
  "request_reordered",
  "half_missing",
  "details_asked",
  "details_given",
  "details_corrected",
  "correction_asked",
  "correction_passed_on",
  "correction_refused",
  "request_released",
  "request_held",
  "attention_handled",
  "request_kept",
  "attention_reopened",
  "risk_held",
  "risk_cleared",
  "create_started",
  "create_succeeded",
  "create_rejected",
  "create_not_sent",
  "create_unknown",
  "create_interrupted",
  "scan_found",
  "scan_empty",
  "scan_failed",
  "resend_allowed",
  "decision_needed",
  "retry_asked",
  "retry_under_age",
  "referral_status",
  "referral_replaced",
  "answer_unreadable",
  "codes_used_up",
  "document_stored",
  "document_missing",
  "result_stored",
  "result_released",
  "patient_contacted",
  "results_revealed",
  "result_held_again",
  "result_deleted",
  "referral_other_person",
  "referral_other_tests",
  "result_other_person",
  "mail_sent",
  "mail_refused",
  "mail_unclear",
  "mail_withheld",
  "mail_retried",
  "mail_asked_again",
  "form_asked_again",
  "link_copied",
  "unit_handed_over",
  "unit_taken_back",
  "unit_claimed",
  "patient_lost",
  "patient_found",
  "reminders_stopped",
  "details_overdue",
  "under_age",
  "redacted",
  "consent_withdrawn",
  "copies_unread",
  "results_hidden",
  "results_shown_again",
  "package_opened",
  "workflow_unclear",
] as const;
export type TimelineKind = (typeof TIMELINE_KINDS)[number];

/**
 * An order's lines end when they are so old and its data was erased as long ago (docs/decisions/0211). `end_timeline` in
 * prisma/access.sql decides, and says the same.
 */
export const TIMELINE_KEPT_YEARS = 7;

/** Evidence: ids, codes, counts and times. Never a name, an address or a value from a result. */
export type TimelineDetail = Record<string, string | number | boolean | null>;

export interface NewTimelineEntry {
  kind: TimelineKind;
  actor: Actor;
  at: Date;
  orderId?: OrderId;
  requestId?: string;
  detail?: TimelineDetail;
}

export interface TimelineEntry {
  id: string;
  kind: string;
  actor: string;
  at: Date;
  requestId: string | null;
  detail: TimelineDetail;
}

export interface TimelineRepository {
  add(...entries: NewTimelineEntry[]): Promise<void>;
  /** Oldest first, of the order itself and of all its requests; the latest 2,000. */
  forOrder(orderId: OrderId): Promise<TimelineEntry[]>;
}
