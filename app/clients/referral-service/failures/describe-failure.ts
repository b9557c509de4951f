import type { DescribeFailure, Words } from "../../../modules/kernel/words.ts";
import { API_CODE_SENTENCES } from "./api-code-sentences.ts";
import { FAILURE_SENTENCES } from "./failure-sentences.ts";
import { FORBIDDEN } from "./service-codes.ts";
import { TOKEN_CODE_SENTENCES } from "./token-code-sentences.ts";

const BY_CODE: ReadonlyMap<string, Words> = new Map([
  ...Object.entries(API_CODE_SENTENCES),
  ...Object.entries(TOKEN_CODE_SENTENCES),
]);

/**
 * Words for a failed call: those of the service's own code where it is known (interface §7.3, §7.4), else those of the kind
 * of failure. They contain no data of the call, so they may be shown and logged. A `ReferralServiceError` fits as it is.
 */
export const describeFailure: DescribeFailure = ({ failure, serviceCode }) =>
  BY_CODE.get(serviceCode ?? "") ??
  (serviceCode?.startsWith(FORBIDDEN) ? NOT_ALLOWED : FAILURE_SENTENCES[failure ?? "rejected"]);

const NOT_ALLOWED: Words = {
  sentence: "The service knows your organisation, but doesn’t let it order this.",
  nextStep:
    "Check in the service that your organisation may order tests and has a valid billing method, or ask the service’s support. Then press Retry.",
};
