/** What checks types. The former TypeScript stays for those that read source by its interface (docs/decisions/0176). */
export const TYPE_CHECKER = "node_modules/typescript7/bin/tsc";

/** The TypeScript projects of this repository. The extensions run in Shopify's environment and have types of their own. */
export const TYPE_PROJECTS = [
  ".",
  "extensions",
  "extensions/order-tests",
  "extensions/my-tests",
  "extensions/thank-you",
  "extensions/order-referrals",
];
