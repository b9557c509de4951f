import { countOf } from "../kernel/words.ts";
import type { RefundPolicy, ReleasePolicy } from "./shop.ts";

export const RELEASE_POLICY_CHOICES: readonly {
  value: ReleasePolicy;
  label: string;
  helpText: string;
}[] = [
  {
    value: "automatic",
    label: "As soon as they arrive, with an alert where one is needed",
    helpText: "Results that the service holds for review still wait for it.",
  },
  {
    value: "hold_critical",
    label: "Hold critical results and sensitive tests (recommended)",
    helpText:
      "Results with a critical value, or without a summary, wait for your reviewer. So do tests for HIV and other infections, genetics and pregnancy.",
  },
  {
    value: "hold_abnormal",
    label: "Hold abnormal results too",
    helpText: "Results with any value outside its range also wait for your reviewer.",
  },
  {
    value: "hold_all",
    label: "Hold all results",
    helpText: "Every result waits for your reviewer.",
  },
];

export const NO_REVIEWER = {
  title: "Nothing is held until you name a reviewer",
  text: "A held critical result that nobody reads is worse than one that the patient can see. Until then patients see every result as soon as it arrives, with an alert where one is needed.",
};

export const GO_LIVE_CHOICES = [
  {
    value: "staging",
    label: "Staging",
    helpText: "For trying things out: no patient, no laboratory and no bill is real.",
  },
  {
    value: "production",
    label: "Production",
    helpText:
      "Real referrals, billed to your organisation. Shopify’s test payments still go to staging.",
  },
] as const;

export const GOING_LIVE = {
  title: "New paid orders will create real referrals",
  text: "The service bills your organisation for each. Production has a mapping of its own: products that are not mapped for it wait in Needs attention. What was ordered in staging stays there.",
};

export const GOING_BACK = {
  title: "New paid orders will not reach a laboratory",
  text: "Real referrals that exist go on as they are. Orders paid from now on are only tried out.",
};

export const EMAIL_CHOICES = [
  {
    value: "pathway",
    label: "Pathway",
    helpText: "An email without health content, with a link to the customer’s account.",
  },
  {
    value: "service",
    label: "The referral service",
    helpText: "It sends the form itself, attached to an email of its own.",
  },
] as const;

export const HIGH_RISK_CHOICES = [
  {
    value: "hold",
    label: "Hold them until somebody releases them (recommended)",
    helpText:
      "An order that Shopify hasn’t assessed yet is held too, and goes on by itself once Shopify has found no high risk.",
  },
  {
    value: "order",
    label: "Order their tests like any others",
    helpText: "A chargeback later doesn’t undo a referral that the service has billed.",
  },
] as const;

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
    helpText:
      "The patient can’t open the form until somebody decides on the order’s page: delete the referral, or let the patient keep the test.",
  },
];

/** The choices for refunds that wait for a decision when the shop stops asking. */
export const WAITING_REFUNDS = ["leave", "cancel"] as const;
export type WaitingRefunds = (typeof WAITING_REFUNDS)[number];

/** "3 refunded referrals wait for your decision." */
export function askAboutWaiting(count: number): string {
  return `${countOf(count, "refunded referral")} ${count === 1 ? "waits" : "wait"} for your decision.`;
}

export const WAITING_CHOICES: readonly {
  value: WaitingRefunds;
  label: string;
  helpText: string;
}[] = [
  {
    value: "leave",
    label: "Leave waiting",
    helpText: "Each stays in Needs attention. The patient can’t open the form until you decide.",
  },
  {
    value: "cancel",
    label: "Cancel now",
    helpText: "Each referral is deleted at the service. This can’t be undone.",
  },
];
