import type { Words } from "../../../modules/kernel/words.ts";
import type { ReferralServiceFailure } from "../../../platform/errors.ts";

/** Kinds of failure, for answers without a code that we know. */
export const FAILURE_SENTENCES: Readonly<Record<ReferralServiceFailure, Words>> = {
  connection: {
    sentence: "The referral service could not be reached.",
    nextStep:
      "Pathway keeps trying. If this lasts longer than an hour, whoever runs Pathway has to check the service’s address.",
  },
  timeout: {
    sentence: "The referral service took too long to answer.",
    nextStep: "Pathway keeps trying. You don’t need to do anything.",
  },
  rate_limited: {
    sentence: "The referral service asked Pathway to slow down.",
    nextStep: "Pathway waits and carries on by itself. Orders may take a little longer.",
  },
  unauthorized: {
    sentence: "The referral service did not accept this connection’s credentials.",
    nextStep:
      "Create a new API key in the service under Settings, API Keys, then enter it in the connection settings.",
  },
  rejected: {
    sentence: "The referral service refused this request.",
    nextStep:
      "Check the product’s mapping, or ask for the patient’s details to be corrected, then retry. Contact the service’s support if it is refused again.",
  },
  not_found: {
    sentence: "The referral service did not find what Pathway asked for.",
    nextStep:
      "Check that the connection is for the right environment (staging or production). Whoever runs Pathway can check the service’s address.",
  },
  server: {
    sentence: "The referral service had an internal problem.",
    nextStep:
      "Pathway keeps trying. If this lasts longer than an hour, contact the service’s support.",
  },
  contract_mismatch: {
    sentence: "The referral service sent an answer that Pathway does not understand.",
    nextStep:
      "Whoever runs Pathway has to check the service’s address, and then contact Pathway’s support.",
  },
};
