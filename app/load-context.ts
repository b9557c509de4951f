import type { AppLoadContext } from "@remix-run/node";
import type { App } from "./composition.server.ts";
import { type ShopDomain, shopDomain } from "./domain/ids.ts";
import type { ShopifyApp } from "./shopify/shopify-app.ts";
import { carriesShoppersToken, isStaffs } from "./shopify/staff-token.ts";

type AdminContext = Awaited<ReturnType<ShopifyApp["authenticate"]["admin"]>>;

declare module "@remix-run/server-runtime" {
  /** What loaders and actions get: the composed application and the signed-in merchant. */
  interface AppLoadContext {
    app: App;
    /**
     * Signs the merchant in (session token of the Shopify admin) or throws the response that makes the
     * browser fetch one. Once for a request, however many loaders ask: parent and child run side by side,
     * and would each exchange the token.
     */
    merchant(request: Request): Promise<AdminContext & { shop: ShopDomain }>;
  }
}

/** Made anew for each request. */
export function createLoadContext(app: App): AppLoadContext {
  let signedIn: Promise<AdminContext & { shop: ShopDomain }> | undefined;
  return {
    app,
    merchant(request) {
      signedIn ??= signIn(app, request);
      return signedIn;
    },
  };
}

async function signIn(app: App, request: Request) {
  if (carriesShoppersToken(request)) throw new Response(null, { status: 401 });
  const shopify = await app.shopify.app();
  const admin = await shopify.authenticate.admin(request);
  // What the library has verified, wherever in the call it found it.
  if (!isStaffs(admin.sessionToken)) throw new Response(null, { status: 401 });
  const shop = shopDomain(admin.session.shop);
  if (!shop) throw new Response(null, { status: 400 });
  return { ...admin, shop };
}
