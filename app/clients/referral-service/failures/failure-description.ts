/** Two sentences for a shop owner: what happened and what to do. */
export interface FailureDescription {
  sentence: string;
  nextStep: string;
}
