import type { ShopifyGlobal } from "@shopify/app-bridge-types";

/** App Bridge, once its script has run in a browser; null on the server and when the script was not reached. */
export function appBridge(): ShopifyGlobal | null {
  return typeof window !== "undefined" && "shopify" in window ? window.shopify : null;
}
