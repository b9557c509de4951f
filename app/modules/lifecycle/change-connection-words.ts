/** Words of the page that changes connections, apart from those that every page has: their bytes are that page's alone. */
import type { Environment } from "../shops/connection.ts";

export const ENVIRONMENT_NOTES: Record<Environment, string> = {
  staging: "For trying things out. No patient, no laboratory and no bill is real here.",
  production: "For real patients. The service bills your organisation for each referral.",
};

/** The consequences of removing a connection, by where new orders go. */
export function describeDisconnecting(environment: Environment, ordersGoTo: Environment): string {
  const orders =
    environment === ordersGoTo
      ? "Paid orders will wait, and no news of existing referrals will arrive, until you connect again."
      : environment === "staging"
        ? "New orders go to production and don’t wait. Shopify’s test payments will, and no news of referrals in staging will arrive, until you connect again."
        : "New orders go to staging and don’t wait. No news of existing real referrals will arrive until you connect again.";
  return `${orders} You’ll get a new webhook address then. Referrals and documents stay. After 24 hours without a connection, patients who wait for results are told how to get them.`;
}

/** Why the connection that real orders use has no button to remove it. */
export const FIRST_GO_BACK = "To disconnect production, send new orders to staging first.";

/** The consequence of other credentials, while they are typed: the service shows the referrals of one organisation only. */
export const OTHER_CLIENT =
  "Use a key of the same organisation. The service doesn’t show another organisation the tests that were ordered before: their forms and results would not arrive, and each would wait in Needs attention.";
