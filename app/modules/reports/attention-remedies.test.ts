import { expect, test } from "vitest";
import { sampleRequest } from "../../../test/samples/facts.ts";
import { describeFailure } from "../../clients/referral-service/failures/describe-failure.ts";
import type { OrderReason } from "../orders/order-reason.ts";
import { type CustomerState, customerState } from "../referrals/customer-view.ts";
import type { RequestState } from "../referrals/request.ts";
import { type DetailedCode, type PlainCode, parseReasonKey } from "../referrals/review-reason.ts";
import { newsOfStatus, type StateNews } from "../referrals/state-news.ts";
import { actionOf } from "./attention-action.ts";
import type { AttentionReason } from "./attention-item.ts";
import { describeAttention } from "./attention-words.ts";

/** What is done about a reason, and what the customer's page says of a test that has it before it is ordered. */
interface Remedy {
  /** Where the button leads or what it does, and its words. */
  remedy: `${"do" | "go"} ${string}: ${string}`;
  /** The state in which the request stands, and what its customer then reads; nothing where other facts decide. */
  customer?: [RequestState, CustomerState];
}

const OPEN = "go order: Open";

/** Every reason: one that is added and not listed here does not compile. */
const REMEDIES: Record<Exclude<PlainCode, DetailedCode> | OrderReason | DetailedCode, Remedy> = {
  unmapped_line: { remedy: "go mapping: Map" },
  no_contact: { remedy: "go shopify: Open in Shopify" },
  customer_changed: { remedy: "go shopify: Open in Shopify" },
  order_not_visible: { remedy: "go shopify: Open in Shopify" },
  paid_not_visible: { remedy: "go shopify: Open in Shopify" },
  paid_in_part: { remedy: "go shopify: Open in Shopify" },
  money_back: { remedy: "go shopify: Open in Shopify" },
  parts_of_bundle: { remedy: "go mapping: Map" },
  not_fulfilled: { remedy: "go shopify: Open in Shopify" },
  not_tagged: { remedy: "go shopify: Open in Shopify" },
  flow_not_started: { remedy: "go shopify: Open in Shopify" },
  other_name: { remedy: "go shopify: Open in Shopify" },
  backdated: { remedy: "go import: Import order" },
  not_a_test_then: { remedy: "go import: Import order" },
  details_overdue: { remedy: OPEN, customer: ["awaiting_details", "awaiting_details"] },
  under_age: {
    remedy: "go order: Refund or ask again",
    customer: ["awaiting_details", "awaiting_details"],
  },
  under_age_unclear: {
    remedy: "go order: Refund or ask again",
    customer: ["ambiguous", "needs_support"],
  },
  held: { remedy: "do release: Release", customer: ["held", "being_prepared"] },
  high_risk: { remedy: "do release: Release", customer: ["held", "being_prepared"] },
  risk_pending: { remedy: "do release: Release", customer: ["held", "being_prepared"] },
  ambiguous: { remedy: "do retry: Retry", customer: ["ambiguous", "being_prepared"] },
  unresolved: { remedy: "go settings: Test connection", customer: ["ambiguous", "being_prepared"] },
  not_sent: { remedy: "go settings: Test connection", customer: ["ready", "being_prepared"] },
  rejected: { remedy: "do retry: Retry", customer: ["rejected", "needs_support"] },
  half_rejected: { remedy: OPEN },
  half_created: { remedy: OPEN },
  duplicate_referral: { remedy: OPEN },
  consent_withdrawn: {
    remedy: "go shopify: Refund in Shopify",
    customer: ["cancelled", "cancelled"],
  },
  refunded_after_sending: { remedy: OPEN },
  refunded_after_results: { remedy: OPEN },
  withdrawal_too_late: { remedy: OPEN },
  withdrawal_refused: { remedy: OPEN },
  deleted_at_service: { remedy: OPEN },
  deleted_with_results: { remedy: OPEN },
  bought_again: { remedy: OPEN },
  correction_refused: { remedy: OPEN },
  unreadable_at_service: { remedy: OPEN },
  document_missing: { remedy: OPEN },
  document_refused: { remedy: OPEN },
  other_tests: { remedy: OPEN },
  results_held: { remedy: "go order: Review" },
  urgent_result_held: { remedy: "go order: Review" },
  urgent_result_shown: { remedy: OPEN },
  result_deleted: { remedy: OPEN },
  referral_other_person: { remedy: OPEN },
  result_other_person: { remedy: OPEN },
  referral: { remedy: OPEN },
  mail_refused: { remedy: "go order: Ring or send again" },
};

/** Details that the service or the connection gives. */
const DETAILS: Record<DetailedCode, string> = {
  rejected: "INVALID_PAYLOAD",
  half_rejected: "INVALID_PAYLOAD",
  not_sent: "unauthorized",
  unresolved: "unauthorized",
  referral: "BILLING_FAILED",
  document_refused: "files.example",
};

const reasonOf = (code: string): AttentionReason =>
  parseReasonKey(code in DETAILS ? `${code}:${DETAILS[code as DetailedCode]}` : code);

const remedyOf = (reason: AttentionReason) => {
  const action = actionOf(reason);
  return `${action.kind} ${action.kind === "do" ? action.action : action.to}: ${action.label}`;
};

const listed = Object.entries(REMEDIES);

test.each(listed)("%s has words, a remedy and a next step", (code, { remedy }) => {
  const reason = reasonOf(code);
  expect(remedyOf(reason)).toBe(remedy);
  const { sentence, nextStep } = describeAttention(reason, describeFailure);
  expect(sentence).not.toBe("This needs a look.");
  expect(nextStep).toMatch(/^\p{Lu}.*[.!]$/su);
});

test.each(
  listed.flatMap(([code, { customer }]) => (customer ? [[code, ...customer] as const] : [])),
)("the customer of a test that is %s (%s) reads %s", (code, state, told) => {
  const reviewReason = parseReasonKey(code);
  const underAge = code.startsWith("under_age");
  const request = sampleRequest({ state, reviewReason, underAge, stage: "attention" });
  expect(customerState({ request, referrals: [], results: [], documents: [] })).toBe(told);
});

test.each<[string, string]>([
  ["not_sent:no_connection", "go settings: Connect"],
  ["unresolved:no_connection", "go settings: Connect"],
  ["not_sent:connection_unreadable", "go settings: Enter credentials"],
  ["unresolved:connection_unreadable", "go settings: Enter credentials"],
  ["rejected:INVALID_PROVIDER_NUMBER", "go mapping: Change practitioner"],
  ["half_rejected:INVALID_PROVIDER_NUMBER", "go mapping: Change practitioner"],
  ["unresolved:contract_mismatch", OPEN],
  ["of_another_version", OPEN],
])("%s leads to %s", (key, remedy) => {
  expect(remedyOf(parseReasonKey(key))).toBe(remedy);
});

test.each<[string, StateNews | null]>([
  ["BILLING_FAILED", "billing"],
  ["FAILED_TEST", "failed"],
  ["INSUFFICIENT_DATA", "insufficient"],
  ["REFUNDED", "refunded"],
  ["TRANSFERRED", "transferred"],
  ["PENDING_VERIFICATION", "verification"],
  ["ISSUED", null],
])("a referral that is %s has its customer mailed: %s", (status, news) => {
  expect(newsOfStatus(status)).toBe(news);
});
