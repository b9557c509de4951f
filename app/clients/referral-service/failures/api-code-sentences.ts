import type { Words } from "../../../modules/kernel/words.ts";
import type { ApiCode } from "./service-codes.ts";

const TEST_CONNECTION =
  "Test the connection in the connection settings. If the test fails, create a new API key in the service and enter it there.";
/** Staff don't see the details: whoever gave them can be asked, from the order's page. */
const CHECK_ORDER =
  "Check the product’s mapping, or open the order and ask for the details to be corrected. Then retry.";
const CHECK_ENVIRONMENT =
  "Check in the service whether it still exists, and that the connection is for the right environment (staging or production).";

/** API (interface §7.3). */
export const API_CODE_SENTENCES: Readonly<Record<ApiCode, Words>> = {
  MISSING_AUTHORIZATION_HEADER: {
    sentence: "The service did not receive Pathway’s sign-in.",
    nextStep:
      "Whoever runs Pathway has to check the way to the service: something on it may be removing the sign-in.",
  },
  INVALID_JWT: {
    sentence: "The service did not accept Pathway’s sign-in.",
    nextStep: TEST_CONNECTION,
  },
  INVALID_JWT_SIGNATURE: {
    sentence: "The service did not accept Pathway’s sign-in as its own.",
    nextStep: `Staging and production do not share keys, so check the environment first. ${TEST_CONNECTION}`,
  },
  INVALID_PARAMETER: {
    sentence: "The service did not accept one of the values in the request.",
    nextStep: CHECK_ORDER,
  },
  INVALID_PAYLOAD: {
    sentence: "The service did not accept the details of this order.",
    nextStep: CHECK_ORDER,
  },
  REFERRAL_NOT_FOUND: {
    sentence: "The service has no such referral.",
    nextStep: CHECK_ENVIRONMENT,
  },
  RESULT_NOT_FOUND: {
    sentence: "The service has no such result.",
    nextStep: CHECK_ENVIRONMENT,
  },
  MISSING_PROVIDER_NUMBER: {
    sentence: "Medicare tests need an ordering practitioner, and this product has none.",
    nextStep:
      "Choose the practitioner in the product’s mapping. What was refused is then sent again.",
  },
  INVALID_PROVIDER_NUMBER: {
    sentence: "The practitioner’s provider number is not registered with your organisation.",
    nextStep:
      "Choose another practitioner in the product’s mapping, or register this one in the service under Settings, Provider Numbers and press “Recheck” there. What was refused is then sent again.",
  },
  MISSING_PROVIDER_SIGNATURE: {
    sentence: "The service has no signature for the practitioner’s provider number.",
    nextStep:
      "Choose another practitioner in the product’s mapping, or have this one sign in the service under Settings, Provider Numbers and press “Recheck” there. What was refused is then sent again.",
  },
  INVALID_MEDICARE_TEST: {
    sentence: "One of the product’s Medicare tests cannot be ordered under Medicare.",
    nextStep:
      "Open the product’s mapping and keep only pathology (blood) tests under Medicare, then try again.",
  },
  INVALID_MEDICARE_NUMBER: {
    sentence: "The patient’s Medicare card number is missing or not valid.",
    nextStep: "Ask the patient to check the card number, then try again.",
  },
};
