import type { Tone, Words } from "../kernel/words.ts";
import type { ReferralStatus } from "./snapshots.ts";
import { isKnownStatus } from "./status.ts";

export interface StatusWords extends Words {
  name: string;
  tone: Tone;
}

interface ReferralStatusWords extends StatusWords {
  /** The customer's words: plain, nothing clinical. */
  customer: string;
}

/** Referral statuses (interface §3) for staff, least finished first: the order decides which one speaks for several. */
const STATUS_WORDS: Record<ReferralStatus, ReferralStatusWords> = {
  BILLING_FAILED: {
    name: "Billing failed",
    tone: "critical",
    sentence: "The service couldn’t charge your organisation for this referral.",
    nextStep: "Fix the billing method in the service, then order it again.",
    customer: "Please don’t use your form yet. We’re fixing a problem.",
  },
  FAILED_TEST: {
    name: "Test failed",
    tone: "critical",
    sentence: "The laboratory couldn’t complete at least one of the tests.",
    nextStep: "Order it again: the patient gets a new form for a new sample.",
    customer:
      "The laboratory couldn’t complete a test. The shop will be in touch about what comes next, and you can also contact it. Please don’t use the form again.",
  },
  INSUFFICIENT_DATA: {
    name: "Details missing",
    tone: "critical",
    sentence: "The service can’t process the referral because details are missing.",
    nextStep:
      "Open the referral in the service to see which. Order it again: Pathway then asks for the details anew. Tell whoever gives them what was missing.",
    customer:
      "Something is missing from the order. The shop will be in touch, and you can also contact it. Please don’t use the form.",
  },
  TRANSFERRED: {
    name: "Transferred",
    tone: "warning",
    sentence: "The referral was transferred to another provider, who reports the results.",
    nextStep: "Tell the patient to expect the results from the other provider.",
    customer:
      "Another lab is finishing this test. We’ll tell you how you’ll get your results. Please don’t use the form.",
  },
  REFUNDED: {
    name: "Refunded by the service",
    tone: "warning",
    sentence: "The service refunded this referral, so no results will come.",
    nextStep: "Refund the customer in Shopify, unless you have already.",
    customer:
      "This test can’t go on, so no more results will come of it. If you have its form, please throw it away. The shop will be in touch about what comes next, and you can also contact it.",
  },
  PENDING_VERIFICATION: {
    name: "Waiting for verification",
    tone: "warning",
    sentence: "The service waits for a profile to be verified before it issues the form.",
    nextStep: "Complete the verification in the service. The form follows by itself.",
    customer: "The referral form is waiting for a check. You don’t need to do anything for that.",
  },
  CREATED: {
    name: "Form being made",
    tone: "info",
    sentence: "The service has the referral and is making the form.",
    nextStep: "Nothing to do: the patient gets the form as soon as it’s ready.",
    customer: "We are preparing the referral form. You don’t need to do anything.",
  },
  SCHEDULED_REISSUE: {
    name: "Form being remade",
    tone: "info",
    sentence: "The service is making a new form with corrected details.",
    nextStep: "Nothing to do: the new form replaces the old one.",
    customer: "We are making a new form with the corrected details. Wait for it before you go.",
  },
  ISSUED: {
    name: "Form ready",
    tone: "info",
    sentence: "The patient has the form and can go to a collection centre.",
    nextStep:
      "Nothing to do until the laboratory reports. The service doesn’t say whether a sample was taken.",
    customer: "Open the referral form and take it to a collection centre.",
  },
  PARTIAL_RESULTS: {
    name: "Partial results",
    tone: "info",
    sentence: "The laboratory has reported some of the results.",
    nextStep: "Nothing to do: the rest follows.",
    customer: "Some results are ready. We’ll email you about the rest.",
  },
  COMPLETE: {
    name: "Results ready",
    tone: "success",
    sentence: "The laboratory has reported all results.",
    nextStep: "Nothing to do.",
    customer: "The laboratory has reported. Open the results as soon as they are released.",
  },
};

const RANKS = Object.keys(STATUS_WORDS);

/** Words for a referral's status; a status that this version doesn’t know is shown as the service wrote it. */
export function describeStatus(status: string): ReferralStatusWords {
  if (isKnownStatus(status)) return STATUS_WORDS[status];
  return {
    name: `Unknown status “${status.slice(0, 40)}”`,
    tone: "warning",
    sentence: "The service reported a status that Pathway doesn’t know.",
    nextStep: "Open the referral in the service to see what it means.",
    customer:
      "The shop is looking into where this test stands. You don’t need to do anything for that.",
  };
}

/** The status that speaks for several referrals of one request: the one that needs most. */
export function leastFinished(statuses: string[]): string | undefined {
  return statuses.toSorted((a, b) => RANKS.indexOf(a) - RANKS.indexOf(b))[0];
}
