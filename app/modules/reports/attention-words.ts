/** Long because it is one table of words: each reason for which a person is needed has its sentence and its next step. */
import type { DescribeFailure, Words } from "../kernel/words.ts";
import { VISIBLE_DAYS } from "../orders/listed-order.ts";
import type { OrderReason } from "../orders/order-reason.ts";
import {
  type DetailedCode,
  type FORMER_ALIVE,
  type FORMER_UNREAD,
  type PlainCode,
  reasonKey,
} from "../referrals/review-reason.ts";
import { describeStatus } from "../referrals/status-words.ts";
import { CONNECTION_UNREADABLE } from "../shops/connection.ts";
import type { AttentionItem, AttentionReason, Undelivered } from "./attention-item.ts";

/** Reasons with a detail that have words of their own. */
type KnownDetail =
  | "not_sent:no_connection"
  | `not_sent:${typeof CONNECTION_UNREADABLE}`
  | `not_sent:${typeof FORMER_ALIVE}`
  | `not_sent:${typeof FORMER_UNREAD}`
  | `referral:${typeof FORMER_ALIVE}`
  | "referral:unknown_status";

const REASONS: Record<PlainCode | OrderReason | KnownDetail, Words> = {
  unmapped_line: {
    sentence: "A product in this order isn’t mapped. No test was ordered for it.",
    nextStep:
      "Map the product, or mark it as not a test. Pathway then handles the order by itself.",
  },
  no_contact: {
    sentence:
      "The order has no customer account and no email address, so nobody can be asked for the patient’s details.",
    nextStep:
      "Add the customer, or their email address, to the order in Shopify. Pathway then asks for the details by itself.",
  },
  customer_changed: {
    sentence:
      "This order’s customer was changed in Shopify, but its email address wasn’t. Emails about its tests, and the codes that open results, still go to that address.",
    nextStep:
      "If the address isn’t the new customer’s, correct it on the order in Shopify: links emailed to the old address then stop working. If it’s right, mark this as handled.",
  },
  order_not_visible: {
    sentence: `Shopify doesn’t show this order to Pathway any more: it’s more than ${VISIBLE_DAYS} days old, or was deleted. Refunds and changes there aren’t seen here.`,
    nextStep: "Look at the order in Shopify, and cancel here what was refunded there.",
  },
  paid_not_visible: {
    sentence: `This order was paid, but Shopify doesn’t show it to Pathway: it was placed more than ${VISIBLE_DAYS} days before. No test was ordered by this payment.`,
    nextStep:
      "Look at the order in Shopify. If it holds tests that aren’t ordered yet, duplicate it there as a new order, leave only these on it, and mark that one as paid: Pathway then orders them. Then mark this as handled.",
  },
  paid_in_part: {
    sentence: "Part of this order isn’t paid for, so nothing more is ordered for it yet.",
    nextStep:
      "Collect the balance in Shopify, or take what was added off the order. Pathway then goes on by itself.",
  },
  backdated: {
    sentence:
      "This order was placed long before it came into Shopify, as imported orders are, or before your shop had Pathway, or was marked as handled while Shopify didn’t show it. Nothing is ordered for it by itself, and nobody is emailed.",
    nextStep:
      "If its tests are still owed, import the order by its number. If not, mark it as handled.",
  },
  other_name: {
    sentence:
      "This order’s tests were ordered while your store had another .myshopify.com name. They aren’t ordered again under this one.",
    nextStep:
      "Their links, forms and results go on there. If a test was added since, sell it by a new order in Shopify. A test that is refunded is cancelled there too: if its form was out already, ask Pathway’s support whether its referral was deleted. Then mark this as handled.",
  },
  not_a_test_then: {
    sentence:
      "A product of this order was marked “Not a test” when it was sold, and is mapped to a test now. No test was ordered for it, and nobody was emailed.",
    nextStep:
      "If the customer is owed a test, import the order by its number. If not, mark this as handled.",
  },
  parts_of_bundle: {
    sentence:
      "This order sold a Shopify bundle that is mapped to a test. Shopify lists its parts alone, and none of them is a test.",
    nextStep:
      "Map one of the parts to the test: Pathway then orders it, once for each part bought. Or mark the bundle as not a test.",
  },
  money_back: {
    sentence:
      "All the money for this order was given back, or its payment was voided, but its tests are still on it. Those that weren’t open by then wait; the others go on.",
    nextStep:
      "If the tests aren’t wanted, cancel the order in Shopify. If they are, mark this as handled, and import the order by its number for those that wait. After a voided payment, mark the order as paid in Shopify first.",
  },
  not_fulfilled: {
    sentence:
      "Forms of this order are out, but Shopify didn’t let Pathway mark their items as fulfilled.",
    nextStep:
      "Open the order in Shopify. If its fulfilment is on hold, release it: Pathway tries again for two days. Or mark the items as fulfilled there, as those that a fulfilment service or another app has: Pathway can’t see these. If this entry stays, mark it as handled.",
  },
  not_tagged: {
    sentence: "Shopify didn’t let Pathway tag this order.",
    nextStep:
      "Open the order in Shopify, and add the tag there if you filter by it: the order’s page here says how far its tests are. If it shows none, they were ordered under your store’s former name: ask Pathway’s support about them. Pathway tries again for two days. If this entry stays, mark it as handled.",
  },
  flow_not_started: {
    sentence: "Shopify didn’t let Pathway start your workflows for this order.",
    nextStep:
      "Do by hand what your workflow in Shopify Flow would have done: the order’s page here says how far its tests are. If it shows none, they were ordered under your store’s former name: ask Pathway’s support about them. Pathway tries again for two days. If this entry stays, mark it as handled.",
  },
  details_overdue: {
    sentence: "The patient’s details are still missing, and nobody is reminded any more.",
    nextStep: "Contact the customer, or refund the test in Shopify.",
  },
  under_age: {
    sentence:
      "The date of birth that was given is under your minimum age. Nothing is ordered with it. A form that was ordered before stays until the test is cancelled.",
    nextStep:
      "Contact the customer. If the date is right, refund the test in Shopify: Pathway then cancels it. If it’s wrong, “Resend request” emails a link to correct it.",
  },
  refunded_after_sending: {
    sentence:
      "This test was refunded or removed after its referral was ordered. The patient can’t open the form until you decide.",
    nextStep:
      "If the form hasn’t been used, cancel the test: its referral is then deleted at the service. If the patient keeps the test, press “Let the patient keep it”: the form opens again.",
  },
  refunded_after_results: {
    sentence: "This test was refunded or removed, but its results have arrived. They’re kept.",
    nextStep:
      "Decide whether the refund stands. The patient keeps their results either way. If results are still to come, “Let the patient keep it” opens the form for them.",
  },
  withdrawal_too_late: {
    sentence: "Results arrived before the referral could be deleted. They’re kept.",
    nextStep:
      "The test was carried out, and the patient gets the results. Decide whether to refund it, then mark this as handled.",
  },
  withdrawal_refused: {
    sentence: "The service refused to delete the referral, so its form can still be used.",
    nextStep:
      "Delete it in the service’s own pages, or ask the service’s support. If the connection has another organisation’s credentials by now, do so in the organisation that ordered it: Pathway can’t find it there.",
  },
  deleted_at_service: {
    sentence: "A referral of this test was deleted at the service, so its form can’t be used.",
    nextStep:
      "Press “Order again”: only what was deleted is ordered. Or cancel the test and refund the customer. If its laboratory has reported, the results that arrived are kept, and there is nothing to order: mark this as handled.",
  },
  deleted_with_results: {
    sentence: "The referral was deleted at the service just as its results arrived.",
    nextStep: "Ask the service’s support whether the results stay available to the patient.",
  },
  bought_again: {
    sentence:
      "This test was refunded or removed after its results arrived, or was left to its patient, and is on the order again. No second test was opened.",
    nextStep:
      "If the customer bought another test, take this one off the order and add the product as a new line: Pathway opens a test for that. If not, mark this as handled.",
  },
  consent_withdrawn: {
    sentence:
      "The patient withdrew their consent and had their data deleted, so nothing is ordered.",
    nextStep: "Refund the customer in Shopify: this entry then ends by itself.",
  },
  correction_refused: {
    sentence: "The patient’s details were corrected, but the service doesn’t take the change.",
    nextStep:
      "If the form hasn’t been used, cancel and order again: Pathway then asks for the details anew. Else tell the laboratory the correction.",
  },
  half_created: {
    sentence: "The service created only one of the two referrals of this request.",
    nextStep:
      "Look for the reference number in the service. If the other isn’t there, Retry orders the missing one alone.",
  },
  under_age_unclear: {
    sentence:
      "The date of birth that was given is under your minimum age. Before that, the service’s answer about this test got lost. Nothing more is ordered with the earlier date.",
    nextStep:
      "Look for the reference number in the service. If it’s there, or the date is right, cancel the test. If it isn’t there and the date is wrong, press “Wait for other details”, then “Resend request”.",
  },
  duplicate_referral: {
    sentence: "The service holds more than one referral for this test.",
    nextStep:
      "The patient’s page shows the form of each. Ask which one they use, then delete the other in the service: its form leaves their page by itself.",
  },
  ambiguous: {
    sentence: "The service’s answer got lost, and its list doesn’t show the referral.",
    nextStep:
      "Look for the reference number in the service. If it isn’t there, Retry orders it once more; Re-sync makes Pathway look again.",
  },
  held: {
    sentence: "Held for review: nothing is sent before it’s released.",
    nextStep: "Check the order, then release it.",
  },
  high_risk: {
    sentence: "Shopify assesses this order as high-risk, so nothing is ordered for it.",
    nextStep:
      "Check the order in Shopify. Release it if you trust it, or cancel it there. It goes on by itself when Shopify’s assessment changes.",
  },
  risk_pending: {
    sentence: "Shopify has not finished assessing this order’s risk, so nothing is ordered yet.",
    nextStep: "Wait for Shopify’s assessment: it then goes on by itself. Or release it now.",
  },
  rejected: {
    sentence: "The service refused the order. Nothing was created or charged.",
    nextStep: "Open the order, correct what its timeline names, then retry.",
  },
  results_held: {
    sentence: "Results have arrived, and your release policy holds them for your reviewer.",
    nextStep: "Have your reviewer read them, then release them to the patient.",
  },
  urgent_result_held: {
    sentence: "A result that cannot wait is held for your reviewer.",
    nextStep:
      "Have your reviewer read it today and release it. If nobody does, the patient is asked to ring you.",
  },
  urgent_result_shown: {
    sentence: "A result was released to the patient that should be talked about today.",
    nextStep:
      "Ring the patient today and make sure that they have read it. A patient who has hidden their results can’t open it. Then mark this as handled.",
  },
  referral_other_person: {
    sentence:
      "The service’s form for this test names another person: the name, date of birth or Medicare number is not the patient’s. The form and its results are shown to nobody.",
    nextStep:
      "Call the service’s support today with the reference number: two patients’ tests may be mixed up. Don’t order again. When it is put right there, press Re-sync. If you have made sure that it is the same person, whose name has changed for example, mark this as handled: the patient then gets the form.",
  },
  result_other_person: {
    sentence:
      "A result arrived whose name, date of birth or reference number is not this test’s. It is shown to nobody.",
    nextStep:
      "Call the service’s support today with the reference number: two patients’ results may be mixed up. When the result is put right there, press Re-sync.",
  },
  mail_refused: {
    sentence:
      "Emails about this test can’t be delivered: the mail server refuses the address, or put an email off for a day. The emails that were due wait.",
    nextStep:
      "The order’s list of emails says which. If an email was put off, press Send again: the address may be right. If the address is refused, ring, and ask for the right one. Correct the customer’s email on the order in Shopify: Pathway then sends what waits by itself. A patient who was invited needs a new invitation from the buyer.",
  },
  unreadable_at_service: {
    sentence:
      "The service doesn’t find this test, or its answer can’t be read, so changes and results don’t arrive.",
    nextStep:
      "The order’s timeline says which, with an id. If the service doesn’t find it, check in Connection that the credentials are of the organisation that ordered it. Else send the id to the service’s support and to Pathway’s. It ends by itself once the test can be read.",
  },
  document_missing: {
    sentence: "A PDF of this test can’t be fetched from the service, so the patient can’t open it.",
    nextStep:
      "Pathway keeps trying, and this ends by itself when the PDF arrives. If the patient needs it now, download it in the service and send it to them. If it isn’t there either, ask the service’s support.",
  },
  other_tests: {
    sentence:
      "The referral at the service doesn’t have the tests that were ordered: one of them is missing, or another is on it.",
    nextStep:
      "Ring the patient, and ask them to wait with the blood test. Look the referral up in the service by its reference number, and ask the service’s support to put its tests right: this then ends by itself. If the referral may stay as it is, mark this as handled.",
  },
  result_deleted: {
    sentence: "The service deleted results that had arrived, so the patient can’t open them.",
    nextStep:
      "Ask the laboratory why, and tell the patient. New results appear by themselves and end this.",
  },
  "not_sent:no_connection": {
    sentence: "Pathway isn’t connected to the environment this order belongs to.",
    nextStep: "Connect it in the settings. Pathway then sends it by itself.",
  },
  "not_sent:connection_unreadable": {
    sentence:
      "Pathway can’t read the connection’s credentials that are stored here. The order wasn’t sent.",
    nextStep:
      "Enter the client ID and the client secret again in the settings, and save them: Pathway then sends it by itself. If they can’t be saved, contact whoever runs Pathway: once that is put right, Pathway sends it within half an hour.",
  },
  "not_sent:former_alive": {
    sentence:
      "This test was ordered again, but the referral that it had before can be used again at the service. Nothing was sent, so that there aren’t two.",
    nextStep:
      "Delete the earlier referral in the service: its reference number is on the order’s page, under the test that was replaced. Then press Retry. Pathway looks at the service again before it sends anything.",
  },
  "not_sent:former_unread": {
    sentence:
      "This test was ordered again, and Pathway can’t read at the service whether what was ordered before can still be used. Nothing was sent, so that there aren’t two.",
    nextStep:
      "Test the connection in the settings and follow what it says. If it finds nothing wrong, contact Pathway’s support: the service answers in a way this version doesn’t know. Pathway looks again by itself, and then sends the test.",
  },
  "referral:former_alive": {
    sentence:
      "This referral was deleted or had failed, and the test was ordered again, or another referral was made in its place. By now the service says that this earlier one can be used again.",
    nextStep:
      "Delete this earlier referral in the service, by its reference number, so that the test isn’t carried out and charged twice. Don’t delete a replacement that has a form or is on its way: the patient’s page shows only that one’s form. If the replacement wasn’t sent, has failed or was cancelled, the patient has no form: retry it, or order it again, once this one is deleted. This entry then ends by itself.",
  },
  "referral:unknown_status": {
    sentence: "The service reported a status that Pathway doesn’t know.",
    nextStep: "Open the referral in the service to see what it means.",
  },
};

/**
 * Why a person is needed, for each reason that orders and requests carry. A reason that is not listed is one
 * of the service's: a code of a refusal, or a referral's status.
 */
export function describeAttention(
  reason: AttentionReason,
  describeFailure: DescribeFailure,
): Words {
  const key = reasonKey(reason);
  if (isListed(key)) return REASONS[key];
  if (reason.detail === null) return UNKNOWN;
  return describeDetailed(reason.code, reason.detail, describeFailure) ?? UNKNOWN;
}

/** The same for one item of the list, which knows more than its reason. */
export function describeItem(
  { reason, undelivered }: Pick<AttentionItem, "reason" | "undelivered">,
  describeFailure: DescribeFailure,
): Words {
  return undelivered ? UNDELIVERED_WORDS[undelivered] : describeAttention(reason, describeFailure);
}

const CORRECT_ADDRESS =
  "Correct the customer’s email on the order in Shopify: Pathway then sends what waits by itself. A patient who was invited needs a new invitation from the buyer.";

const UNDELIVERED_WORDS: Record<Undelivered, Words> = {
  lost: {
    sentence:
      "This test is a patient’s whom the buyer invited. The database was restored since, and the patient’s email address is lost. The buyer doesn’t see the form or results.",
    nextStep:
      "Ring the buyer, and ask them to cancel the invitation on the page of their order, and to invite the patient again. If the order’s timeline says that the test was ordered, contact Pathway’s support.",
  },
  refused: {
    sentence:
      "Emails about this test can’t be delivered: the mail server refuses the address. The emails that were due wait.",
    nextStep: `Ring, and ask for the right address. ${CORRECT_ADDRESS}`,
  },
  no_address: {
    sentence:
      "There is news about this test, and nobody was emailed: the order has no email address. The emails that were due wait.",
    nextStep:
      "Ring, and ask for an email address. Add it to the order in Shopify: Pathway then sends what waits by itself.",
  },
  put_off: {
    sentence:
      "An email about this test couldn’t be delivered: the mail server put it off each time for a day. Nobody has refused the address, so it may be right. The emails that were due wait.",
    nextStep: `Open the order, and press Send again. If this comes back, ring, and ask for another address. ${CORRECT_ADDRESS}`,
  },
};

const isListed = (key: string): key is keyof typeof REASONS => Object.hasOwn(REASONS, key);

/** A reason that another version wrote. */
const UNKNOWN: Words = {
  sentence: "This needs a look.",
  nextStep: "Open the order and read its timeline. Contact Pathway’s support if it doesn’t help.",
};

function describeDetailed(
  code: DetailedCode,
  detail: string,
  describeFailure: DescribeFailure,
): Words | undefined {
  switch (code) {
    case "rejected":
      return describeFailure({ failure: "rejected", serviceCode: detail });
    case "half_rejected": {
      const { sentence, nextStep } = describeFailure({ failure: "rejected", serviceCode: detail });
      return { sentence: `Only one of the two referrals was made. ${sentence}`, nextStep };
    }
    case "not_sent":
      return {
        sentence: "The order couldn’t be sent: the service didn’t let Pathway in.",
        nextStep:
          "Test the connection in the settings and follow what it says. Pathway then sends it by itself.",
      };
    case "unresolved":
      return {
        sentence:
          "The service’s answer got lost, and Pathway can’t read the service’s list to see whether the referral exists.",
        nextStep: howToResolve(detail),
      };
    case "document_refused":
      return {
        sentence: `A PDF of this test is at ${detail || "an address"}, which isn’t on the list of hosts that Pathway fetches from.`,
        nextStep:
          "Ask whoever runs Pathway to check the host with the service and to allow it. The PDF then arrives by itself.",
      };
    case "referral": {
      const { sentence, nextStep } = describeStatus(detail);
      return { sentence, nextStep };
    }
  }
}

/** By why the list cannot be read. Pathway looks by itself afterwards, and sends nothing before it knows. */
function howToResolve(code: string): string {
  switch (code) {
    case "no_connection":
      return "Connect the environment this order belongs to in the settings. Pathway then finds out by itself.";
    case CONNECTION_UNREADABLE:
      return "Pathway can’t read the connection’s credentials that are stored here. Enter the client ID and the client secret again in the settings, and save them: Pathway then finds out by itself. If they can’t be saved, contact whoever runs Pathway.";
    case "contract_mismatch":
      return "Contact Pathway’s support: the service answers in a way this version doesn’t know. Nothing is sent again meanwhile.";
    default:
      return "Test the connection in the settings and follow what it says. Pathway then finds out by itself.";
  }
}
