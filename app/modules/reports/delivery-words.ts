import { countOf } from "../kernel/words.ts";
import type { Delivery } from "./delivery.ts";

const SUBJECTS: Record<string, string> = {
  "referral.created": "Referral created",
  "referral.issued": "Form issued",
  "referral.pending_verification": "Referral waits for verification",
  "referral.billing_failed": "Billing failed",
  "referral.scheduled_reissue": "Form is being reissued",
  "referral.partial_results": "Results arrived in part",
  "referral.complete": "All results arrived",
  "result.created": "Result created",
  "result.updated": "Result changed",
  "result.partial_results": "Result is partial",
  "result.complete": "Result is final",
  "result.in_review": "Result is in review",
};

type LedTo = Extract<Delivery, { kind: "accepted" }>["ledTo"];

const LED_TO: Record<NonNullable<LedTo>, string> = {
  waiting: "Waits to be looked at",
  fetch: "Asked for at the service",
  fetched: "Fetched from the service",
  nothing: "Nothing new",
  comparison: "All orders are compared with the service’s list",
  self_test: "Pathway’s own test; nothing follows from it",
};

/** One delivery, in words: what it was, whether it was believed, and what it led to. */
export function describeDelivery(delivery: Delivery) {
  if (delivery.kind === "refused")
    return {
      subject: countOf(delivery.count, "event"),
      isAccepted: false,
      verdict: "Rejected: wrong signature",
      ledTo: "Nothing: nobody knows who sent it",
    };
  const { eventType, isReadable, ledTo } = delivery;
  const subject =
    ledTo === "self_test" ? "Test of the address" : ((eventType && SUBJECTS[eventType]) ?? "Event");
  return {
    subject,
    isAccepted: true,
    verdict: isReadable ? "Accepted" : "Accepted, but not readable",
    // Events of an earlier version kept nothing of what followed.
    ledTo: ledTo ? LED_TO[ledTo] : "Dealt with",
  };
}
