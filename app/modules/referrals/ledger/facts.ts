import type { StoredReferral, StoredResult } from "../referral-repository.ts";
import type { ReferralRequest } from "../request.ts";

/** The columns of a request's row that the table looks at. */
export type RowFacts = Pick<
  ReferralRequest,
  | "state"
  | "resultReason"
  | "reviewReason"
  | "handledReason"
  | "cancellation"
  | "missingPart"
  | "hasPatient"
  | "attempt"
  | "attemptStartedAt"
  | "attemptDeadlineAt"
  | "recoveryLowerBound"
  | "replacedBy"
  | "riskAccepted"
  | "underAge"
  | "kept"
  | "mailRefusedAt"
>;

/** The same with what the service holds of it, as last read. */
export interface LedgerFacts extends RowFacts {
  referrals: readonly ReferralFacts[];
  results: readonly ResultFacts[];
}

export type ReferralFacts = Pick<
  StoredReferral,
  "uuid" | "status" | "medicare" | "deletedAt" | "replacedBy" | "otherPerson"
>;
export type ResultFacts = Pick<
  StoredResult,
  "referralUuid" | "releasedAt" | "inReview" | "deletedAt" | "otherPerson"
>;

/** One attempt, as it was claimed. A report about it never ends another one. */
export type Attempt = Pick<
  ReferralRequest,
  "attempt" | "attemptStartedAt" | "attemptDeadlineAt" | "recoveryLowerBound"
>;
