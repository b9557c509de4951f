import { setAbstractFetchFunc } from "@shopify/shopify-api/runtime";

/**
 * Sends what is meant for a shop's own domain to `origin` instead, naming the shop in X-Forwarded-Host, as a
 * gateway in front of Shopify would expect it. Without an origin nothing changes. Call it before
 * `shopifyApp()`, whose adapter otherwise keeps the global fetch.
 */
export function routeShopifyCalls(origin: string | undefined): void {
  if (!origin) return;
  setAbstractFetchFunc(async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : String(input));
    if (!url.hostname.endsWith(".myshopify.com")) return fetch(input, init);
    const headers = new Headers(
      init?.headers ?? (input instanceof Request ? input.headers : undefined),
    );
    headers.set("X-Forwarded-Host", url.hostname);
    return fetch(new URL(url.pathname + url.search, origin), { ...init, headers });
  });
}
