/**
 * The key of a state's name. A test that the shop took back has no problem while the shop decides about it: its buyer may have
 * asked for the refund.
 */
export const stateName = (state: string, needsDecision: boolean): string =>
  `state.${state}.${state === "needs_support" && needsDecision ? "deciding" : "name"}`;
