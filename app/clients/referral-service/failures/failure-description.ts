/** What happened and what to do, for a shop owner. */
export interface FailureDescription {
  sentence: string;
  nextStep: string;
}
