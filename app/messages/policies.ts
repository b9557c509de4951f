import type { RefundPolicy, ReleasePolicy } from "../domain/shops/shop.ts";

export const RELEASE_POLICY_CHOICES: readonly {
  value: ReleasePolicy;
  label: string;
  helpText: string;
}[] = [
  {
    value: "automatic",
    label: "As soon as they arrive",
    helpText: "Results that the service holds for review still wait for it.",
  },
  {
    value: "hold_critical",
    label: "Hold critical results",
    helpText: "Results with a critical value, or without a summary, wait for a release.",
  },
  {
    value: "hold_abnormal",
    label: "Hold abnormal results",
    helpText:
      "Results with an abnormal or critical value, or without a summary, wait for a release.",
  },
  { value: "hold_all", label: "Hold all results", helpText: "Every result waits for a release." },
];

export const REFUND_POLICY_CHOICES: readonly {
  value: RefundPolicy;
  label: string;
  helpText: string;
}[] = [
  {
    value: "automatic",
    label: "Delete its referral at the service",
    helpText: "The form can’t be used any more, and the test can be ordered again with one click.",
  },
  {
    value: "ask",
    label: "Ask first",
    helpText: "The form keeps working until somebody deletes the referral on the order’s page.",
  },
];
