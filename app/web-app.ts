import type { App } from "./composition.server.ts";

const SHOPIFYS_APP_BRIDGE = "https://cdn.shopify.com/shopifycloud/app-bridge.js";

/**
 * The part of the app that a page gets: use cases' ports, words, addresses. No pool, no sealer and no key: a fault in
 * a page cannot give away what the page cannot reach.
 */
export function webApp({ env, ...app }: App) {
  const { ports, customerAuth, proxyCall, proxyFormToken, refusals } = app;
  const { serviceAddresses, readWorkHealth, describeFailure, createBody } = app;
  return {
    ports,
    customerAuth,
    proxyCall,
    proxyFormToken,
    refusals,
    serviceAddresses,
    readWorkHealth,
    describeFailure,
    createBody,
    /** The values that the document of an embedded page names: for App Bridge, and who may frame it. */
    embedding: {
      apiKey: env.SHOPIFY_API_KEY,
      appBridgeUrl: env.APP_BRIDGE_URL ?? SHOPIFYS_APP_BRIDGE,
      adminOrigin: env.SHOPIFY_ADMIN_ORIGIN,
    },
  };
}

export type WebApp = ReturnType<typeof webApp>;
