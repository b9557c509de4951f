import { lazyAsync } from "../../platform/lazy-async.ts";
import type { AdminGraphql } from "./admin-graphql.ts";
import type { ShopifyApp, ShopifyOptions, WhoIs } from "./shopify-app.ts";

/** The part of Shopify's own library that the app uses. */
export interface Shopify {
  app(): Promise<ShopifyApp>;
  graphql: AdminGraphql;
  whoIs: WhoIs;
  /** Checks a session token's signature, lifetime and audience; rejects when one of them is wrong. */
  decodeSessionToken(token: string): Promise<unknown>;
}

/**
 * The library is a third of what a process would read at its start, and no message needs it: it comes into memory with
 * the first page, or the first order that is read (docs/decisions/0020).
 */
export function createShopify(options: ShopifyOptions): Shopify {
  const library = lazyAsync(async () => {
    const { createShopifyApp } = await import("./shopify-app.ts");
    const { createAdminGraphql } = await import("./admin-graphql.ts");
    const { app, sessions, decodeSessionToken, whoIs } = createShopifyApp(options);
    return {
      app,
      decodeSessionToken,
      whoIs,
      graphql: createAdminGraphql(app, sessions, options.logger),
    };
  });
  return {
    app: async () => (await library()).app,
    graphql: async (...call) => (await library()).graphql(...call),
    whoIs: async (...call) => (await library()).whoIs(...call),
    decodeSessionToken: async (token) => (await library()).decodeSessionToken(token),
  };
}
