import type { DescribeFailure, Words } from "../../../modules/kernel/words.ts";
import { API_CODE_SENTENCES } from "./api-code-sentences.ts";
import { FAILURE_SENTENCES } from "./failure-sentences.ts";
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
  BY_CODE.get(serviceCode ?? "") ?? FAILURE_SENTENCES[failure ?? "rejected"];
