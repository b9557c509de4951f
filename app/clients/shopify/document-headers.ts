import { shopDomain } from "../../modules/kernel/ids.ts";

const SHOPIFYS_FILES = "https://cdn.shopify.com";
/** Where App Bridge reports how fast pages are. */
const SHOPIFYS_METRICS = "https://monorail-edge.shopifysvc.com";

/**
 * Only this shop's admin may frame a page (Shopify's rule for embedded apps), and only scripts of our own and of Shopify's
 * run there: inline ones carry this answer's `nonce`. Polaris writes style attributes. Nothing of an embedded page is kept
 * by caches in between.
 */
export function addDocumentHeaders(
  headers: Headers,
  request: Request,
  {
    adminOrigin,
    appBridgeUrl,
    nonce,
  }: { adminOrigin: string; appBridgeUrl: string; nonce: string },
): void {
  const shop = shopDomain(new URL(request.url).searchParams.get("shop") ?? "");
  const ancestors = shop ? `https://${shop} ${adminOrigin}` : adminOrigin;
  const bridge = new URL(appBridgeUrl).origin;
  const policy = [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}' ${bridge} ${SHOPIFYS_FILES}`,
    `style-src 'self' 'unsafe-inline' ${SHOPIFYS_FILES}`,
    `img-src 'self' data: ${SHOPIFYS_FILES}`,
    `font-src 'self' ${SHOPIFYS_FILES}`,
    `connect-src 'self' ${bridge} ${SHOPIFYS_METRICS}`,
    `frame-src 'self' ${adminOrigin}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${ancestors}`,
  ];
  headers.set("Content-Security-Policy", policy.join("; "));
  headers.set("Referrer-Policy", "strict-origin-when-cross-origin");
  headers.set("X-Content-Type-Options", "nosniff");
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "private, no-store");
}
