import type { TimelineDetail, TimelineEntry, TimelineKind } from "../kernel/timeline.ts";
import { countOf, type DescribeFailure } from "../kernel/words.ts";
import { triedFor } from "../notifications/mail-words.ts";
import type { StaffAccessReason } from "../privacy/staff-access.ts";
import { STAFF_ACCESS_REASON_NAMES } from "../privacy/staff-access-words.ts";
import { CONTACTS } from "../referrals/contact.ts";
import { CONTACT_WORDS } from "../referrals/contact-words.ts";
import { describeStatus } from "../referrals/status-words.ts";

const MAILS: Record<string, string> = {
  details_needed: "asking for the patient’s details",
  details_reminder: "asking once more for the patient’s details",
  correction_needed: "asking to check the patient’s details",
  correction_refused: "saying that the corrected details could not be passed on",
  unit_for_you: "with a link of the patient’s own",
  correction_link: "with a link to change the patient’s details",
  link_renewed: "with a new link in place of one that had ended",
  order_delayed: "saying that the order takes longer",
  details_given: "telling the patient that somebody gave their details",
  state_changed: "saying what changed about the test",
  form_corrected: "saying that the corrected form is ready",
  form_ready: "saying that the form is ready",
  results_available: "saying that there is something new in the account",
  results_elsewhere: "saying how they get their results without Pathway",
  results_today: "asking the patient to open the results today",
};

const STAFF_MAILS: Record<string, string> = {
  ring_today: "An email asked the patient to ring today",
  review_due: "The shop was told that a result waits for its reviewer",
  review_today: "The shop was told to review a result today",
  patients_waiting: "The shop was told which patients wait for results",
  urgent_result_shown: "The shop was told to ring the patient today",
  patient_unreachable: "The shop was told to ring, because an urgent email can’t be delivered",
};

const DOCUMENTS: Record<string, string> = { referral: "Referral form", result: "Result report" };

const HALF_NAMES: Record<string, string> = { commercial: "private", medicare: "Medicare" };

/** As Shopify Flow lists the triggers (extensions/flow-*). */
const WORKFLOWS: Record<string, string> = {
  referral_issued: "Referral issued",
  results_ready: "Results ready",
  attention_needed: "Attention needed",
};

type Sentence = string | ((detail: TimelineDetail) => string);

const SENTENCES: Record<TimelineKind, Sentence> = {
  order_read: "The order was read from Shopify",
  customer_changed: "The order’s customer changed in Shopify: its tests moved with it",
  order_not_visible: "Shopify doesn’t show the order to Pathway any more",
  order_unmapped_line: "Something in the order isn’t mapped",
  order_cancelled: "The order was cancelled",
  request_opened: "A test was opened for this order",
  request_cancelled: "The request was cancelled before anything was ordered",
  request_surplus: "The test was refunded or removed after its referral was ordered",
  details_asked: "The patient’s details were asked for",
  details_given: "The patient’s details were given",
  details_corrected: "The patient’s details were corrected",
  correction_asked: "A check of the patient’s details was asked for",
  unit_handed_over: "The buyer invited the patient",
  unit_taken_back: "The buyer cancelled the invitation before the patient opened the link",
  unit_claimed: "The patient accepted the invitation. Only they see the form and results",
  patient_lost:
    "The database was restored. This test is a patient’s whom the buyer invited, and their email address is lost",
  patient_found:
    "The referral at the service has the patient’s email address: emails go there again",
  reminders_stopped: "The recipient wants no more reminders",
  under_age: "The details were refused: the date of birth is under the shop’s minimum age",
  details_overdue: "The patient’s details are still missing, and nobody is reminded any more",
  request_released: "Released after review",
  request_held: "Held for review",
  workflow_unclear: ({ milestone }) =>
    `Shopify didn’t answer when the workflows of “${WORKFLOWS[String(milestone)] ?? "this order"}” were to start. Look in Shopify Flow whether they ran: Pathway doesn’t start them again`,
  risk_held: ({ risk }) =>
    risk === "high"
      ? "Held: Shopify assesses the order as high-risk"
      : "Held: Shopify has not finished assessing the order’s risk",
  risk_cleared: "Shopify doesn’t assess the order as high-risk any more, so it goes on",
  attention_handled: "Marked as handled",
  request_kept: "The patient keeps the test: its form is open again",
  attention_reopened: "Reopened: it needs attention again",
  withdrawal_asked: "The referral is to be deleted at the service",
  withdrawal_too_late: "It has results, so it was kept",
  withdrawal_refused: "The service refused to delete the referral",
  request_withdrawn: "The referral was deleted at the service, and its form taken away",
  request_reordered: ({ generation, replaces }) =>
    replaces
      ? `Ordered again, as replacement ${Number(generation) - 1}`
      : `Ordered again: replacement ${Number(generation) - 1} takes its place`,
  half_missing: ({ half }) =>
    `Only one of the two referrals was made: the ${HALF_NAMES[String(half)] ?? "other"} one is looked for, and sent alone if it’s missing`,
  correction_passed_on: "The service has the corrected details",
  correction_refused: "The service didn’t take the corrected details",
  create_started: "Sending to the service began",
  create_succeeded: "The service created the referral",
  create_rejected: "The service refused the order: nothing was created",
  create_not_sent: ({ retryable }) =>
    retryable
      ? "The order couldn’t be sent; Pathway tries again by itself"
      : "The order couldn’t be sent: nothing left Pathway",
  create_unknown: "The service’s answer got lost: Pathway checks before doing anything else",
  create_interrupted: "Sending was interrupted: Pathway checks what became of it",
  scan_found: "Found in the service’s list: it had been created after all",
  scan_empty: ({ scan, afterQuarantine }) =>
    `The service’s whole list was searched and doesn’t show it (search ${scan}${afterQuarantine ? ", after the waiting time" : ""})`,
  scan_failed: "The service’s list can’t be read, so it’s still unclear what became of the order",
  resend_allowed: "Certainly not at the service: it’s safe to send again",
  decision_needed: "Still unclear: the decision is left to you",
  retry_asked: "A retry was asked for",
  retry_under_age:
    "A retry was asked for. Nothing was sent: the date of birth given last is under the shop’s minimum age",
  referral_status: ({ from, to }) =>
    from
      ? `The referral went from “${describeStatus(String(from)).name}” to “${describeStatus(String(to)).name}”`
      : `The referral is at “${describeStatus(String(to)).name}”`,
  referral_replaced: "The service made a new referral in the failed one’s place",
  result_held_again: "New figures came: your release policy holds the result again",
  referral_other_person:
    "The referral names another person than it was ordered for. Its form and results are shown to nobody",
  referral_other_tests: "The referral has other tests than were ordered",
  result_other_person:
    "The result names another person, or another test, than it was ordered for. It is shown to nobody",
  result_deleted: "The service deleted the result: the patient can’t open it any more",
  answer_unreadable: ({ code, uuid }) =>
    code === "not_found"
      ? `The service doesn’t find ${uuid} any more: Pathway shows what it knew before`
      : "The service’s answer can’t be read: Pathway shows what it knew before",
  codes_used_up:
    "Too many wrong codes were typed behind an emailed link. It opens no results for a while",
  document_missing: ({ document }) =>
    `${DOCUMENTS[String(document)] ?? "A document"} can’t be fetched: Pathway keeps trying`,
  document_stored: ({ document, version, partial }) =>
    `${DOCUMENTS[String(document)] ?? "Document"} stored, version ${version}${partial ? ", partial" : ""}`,
  result_stored: ({ partial }) =>
    partial ? "Partial results arrived" : "The complete results arrived",
  result_released: ({ why }) =>
    why === "deadline"
      ? "Nobody reviewed the results in time: the patient can see them now"
      : "The results were released to the patient",
  patient_contacted: ({ reached }) =>
    CONTACT_WORDS[CONTACTS.find((one) => one === reached) ?? "patient"],
  results_revealed: ({ why }) =>
    `The results were shown to a member of staff. Reason: ${STAFF_ACCESS_REASON_NAMES[why as StaffAccessReason] ?? "not given"}`,
  redacted: "Everything about the patient was destroyed; only what is needed to count is kept",
  consent_withdrawn: "The patient withdrew their consent and had their data deleted",
  copies_unread: ({ count }) =>
    `Not deleted: ${countOf(Number(count), "person", "people")} under “Saved details” of the customer’s account. Pathway couldn’t read who is this patient, because a key is damaged. Ask the customer to delete the patient there. If they don’t see the patient, tell whoever runs Pathway`,
  results_hidden: "The patient withdrew their consent: nobody can open the results",
  results_shown_again: "The patient shows the results again",
  package_opened: "What is held about a customer was downloaded for that customer",
  mail_sent: ({ mail }) =>
    STAFF_MAILS[String(mail)] ?? `An email was sent, ${MAILS[String(mail)] ?? "with news"}`,
  mail_refused: ({ mail, reader, triedForHours, hasNoAddress }) => {
    if (hasNoAddress)
      return `An email couldn’t be sent, because the order has no email address: ${mailName(mail)}`;
    const address = STAFF_ADDRESSES[String(reader)] ?? "the address";
    return triedForHours
      ? `An email couldn’t be delivered in ${triedFor(Number(triedForHours))}, because the mail server put it off each time for ${address}: ${mailName(mail)}`
      : `An email couldn’t be delivered, because ${address} refuses it: ${mailName(mail)}`;
  },
  mail_unclear: ({ mail }) =>
    `An email may not have arrived, because the mail server had it and never answered: ${mailName(mail)}`,
  mail_withheld: ({ mail }) =>
    `An email waits, because an earlier one couldn’t be delivered: ${mailName(mail)}`,
  mail_retried: "The emails that wait are sent again",
  mail_asked_again: ({ mail }) => `An email is sent again: ${mailName(mail)}`,
  form_asked_again: "The form is fetched from the service again",
  link_copied: "A link for the customer was copied. It opens no details and no results",
};

const STAFF_ADDRESSES: Record<string, string> = {
  reviewer: "the reviewer’s address",
  contact: "the shop’s contact address",
};

const mailName = (mail: TimelineDetail[string] | undefined) =>
  STAFF_MAILS[String(mail)] ? "to the shop" : (MAILS[String(mail)] ?? "with news");

const EVIDENCE: Record<string, string> = {
  uuid: "Id",
  uuids: "Id",
  status: "Status",
  code: "Code",
  reason: "Reason",
  attempt: "Attempt",
  deadlineAt: "Answer expected by",
  until: "Until",
  emptyScans: "Searches",
  environment: "Environment",
  lines: "Lines",
  unmapped: "Unmapped",
  opened: "Tests opened",
  cancelled: "Tests cancelled",
  surplus: "Tests refunded or removed",
  sku: "SKU",
  caseNumber: "Case",
  correction: "Correction",
  contactedAt: "Contacted",
  generation: "Order",
};

/** One entry of the timeline in words: what happened, who did it, and the evidence for it. Staff by their name. */
export function describeEntry(
  entry: TimelineEntry,
  describeFailure: DescribeFailure,
  staffNames: ReadonlyMap<string, string> = new Map(),
) {
  const known = SENTENCES[entry.kind as TimelineKind] as Sentence | undefined;
  const told = typeof known === "function" ? known(entry.detail) : known;
  const words = told ?? entry.kind.replaceAll("_", " ");
  const sentence =
    entry.kind === "create_rejected"
      ? `${words}. ${describeFailure({ failure: "rejected", serviceCode: String(entry.detail.code) }).sentence}`
      : words;
  return {
    sentence,
    who: staffNames.get(entry.actor) ?? nameOf(entry.actor),
    evidence: evidenceOf(entry.detail),
  };
}

function nameOf(actor: string): string {
  const names: Record<string, string> = {
    pathway: "Pathway",
    shopify: "Shopify",
    service: "Referral service",
    // A customer who signed in, or came by a mailed link: the buyer, or a patient who was invited.
    shopper: "Customer or patient",
  };
  return names[actor] ?? "Your staff";
}

/** A fact that proves an entry; a time is left to the page, which knows the reader's time zone. */
export interface Evidence {
  name: string;
  text: string;
  isTime: boolean;
}

function evidenceOf(detail: TimelineDetail): Evidence[] {
  return Object.entries(detail).flatMap(([key, value]) => {
    const name = EVIDENCE[key];
    if (!name || value === null || value === 0 || value === "") return [];
    return [{ name, text: String(value), isTime: key.endsWith("At") }];
  });
}
