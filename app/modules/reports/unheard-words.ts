import type { Words } from "../kernel/words.ts";
import type { StaffRight } from "../shops/staff-role.ts";
import type { UnheardAlert } from "./home-figures.ts";

const NOTIFICATIONS = {
  label: "Choose who is emailed",
  url: "/app/settings/notifications",
  right: "change_policies",
} as const;

const REVIEWS = {
  label: "See results to review",
  url: "/app/reviews",
  right: "see_results",
} as const;

/** News that nobody was emailed about, and where to change that. */
export const UNHEARD_WORDS: Record<
  UnheardAlert,
  Words & { action: { label: string; url: string; right: StaffRight } }
> = {
  outage: {
    sentence: "Nobody is emailed about this outage",
    nextStep: "Tick Outages for at least one address. It is then emailed about this one too.",
    action: NOTIFICATIONS,
  },
  outage_refused: {
    sentence: "Nobody gets the email about this outage",
    nextStep: "No address on the list took the last email. Correct one of them, or add another.",
    action: NOTIFICATIONS,
  },
  outage_flow: {
    sentence: "Shopify didn’t start your workflows for an outage",
    nextStep:
      "Do by hand what your workflow in Shopify Flow would have done, and see there whether it is turned on. Pathway tries again for two days, except where Shopify’s answer got lost.",
    action: {
      label: "See what your store is told",
      url: "/app/settings/store",
      right: "change_policies",
    },
  },
  critical_held: {
    sentence: "Nobody is emailed about a critical result",
    nextStep: "Review the result today. Then name a reviewer in Settings, Results.",
    action: REVIEWS,
  },
  critical_held_refused: {
    sentence: "Nobody gets the emails about a critical result",
    nextStep:
      "Review the result today: no address that is emailed about it took the last email. Then correct the reviewer’s address in Settings, Results.",
    action: REVIEWS,
  },
};
