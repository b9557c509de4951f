import type { App } from "./composition.server.ts";

/**
 * What a page gets of the app: use cases' ports, words, addresses. No pool, no sealer and no key: what a page cannot
 * reach, a fault in a page cannot give away.
 */
export function webApp({ env, ...app }: App) {
  const { ports, customerAuth, proxyCall, proxyFormToken } = app;
  const { serviceAddresses, readWorkHealth, describeFailure, createBody } = app;
  return {
    ports,
    customerAuth,
    proxyCall,
    proxyFormToken,
    serviceAddresses,
    readWorkHealth,
    describeFailure,
    createBody,
    /** What the document of an embedded page names: for App Bridge, and who may frame it. */
    embedding: {
      apiKey: env.SHOPIFY_API_KEY,
      appBridgeUrl: env.APP_BRIDGE_URL,
      adminOrigin: env.SHOPIFY_ADMIN_ORIGIN,
    },
  };
}

export type WebApp = ReturnType<typeof webApp>;
