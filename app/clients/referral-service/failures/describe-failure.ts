import type { ReferralServiceFailure } from "../../../platform/errors.ts";
import { API_CODE_SENTENCES } from "./api-code-sentences.ts";
import type { FailureDescription } from "./failure-description.ts";
import { FAILURE_SENTENCES } from "./failure-sentences.ts";
import { TOKEN_CODE_SENTENCES } from "./token-code-sentences.ts";

/** Either may be null; ReferralServiceError and the code of a rejected create call fit. */
export interface DescribableFailure {
  failure?: ReferralServiceFailure | null;
  serviceCode?: string | null;
}

const BY_CODE: ReadonlyMap<string, FailureDescription> = new Map([
  ...Object.entries(API_CODE_SENTENCES),
  ...Object.entries(TOKEN_CODE_SENTENCES),
]);

/**
 * Words for a failed call: those of the service's own code where it is known (interface §7.3, §7.4), else
 * those of the kind of failure. Contains no data of the call, so it may be shown and logged.
 */
export function describeFailure(error: DescribableFailure): FailureDescription {
  return BY_CODE.get(error.serviceCode ?? "") ?? FAILURE_SENTENCES[error.failure ?? "rejected"];
}
