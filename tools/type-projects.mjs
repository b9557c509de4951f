/** The TypeScript projects of this repository. The extensions run in Shopify's environment and have types of their own. */
export const TYPE_PROJECTS = [
  ".",
  "extensions",
  "extensions/order-tests",
  "extensions/my-tests",
  "extensions/thank-you",
  "extensions/order-referrals",
];
