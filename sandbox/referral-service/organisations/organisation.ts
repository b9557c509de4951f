/** The billing method on file; staging never charges a card, it only pretends to. */
export type Billing = "valid" | "declined" | "none";

/** The owner of API credentials and of everything made with them (interface §1.6). */
export interface Organisation {
  id: number;
  uuid: string;
  name: string;
  billing: Billing;
  /** New results wait for a release in the web application. */
  holdResultsForReview: boolean;
  /** New referrals start as PENDING_VERIFICATION. */
  requirePatientVerification: boolean;
}
