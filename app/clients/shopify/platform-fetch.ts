import { setAbstractFetchFunc } from "@shopify/shopify-api/runtime";

/** Somebody waits for a page, or a job holds one of its shop's few places. Shopify itself ends a query sooner. */
const LIMIT_MS = 30_000;

/**
 * Makes every call of Shopify's library end after `limitMs`; the library knows no limit, and Node's is five minutes. With an
 * `origin`, what is meant for a shop's own domain goes there instead and names the shop in X-Forwarded-Host, as a gateway in
 * front of Shopify would expect it. Call it before `shopifyApp()`, whose adapter otherwise keeps the global fetch.
 */
export function callShopify(origin: string | undefined, limitMs = LIMIT_MS): void {
  setAbstractFetchFunc(async (input, init) => {
    const limit = AbortSignal.timeout(limitMs);
    const signal = init?.signal ? AbortSignal.any([init.signal, limit]) : limit;
    const url = new URL(input instanceof Request ? input.url : String(input));
    if (!origin || !url.hostname.endsWith(".myshopify.com"))
      return fetch(input, { ...init, signal });
    const headers = new Headers(
      init?.headers ?? (input instanceof Request ? input.headers : undefined),
    );
    headers.set("X-Forwarded-Host", url.hostname);
    return fetch(new URL(url.pathname + url.search, origin), { ...init, headers, signal });
  });
}
