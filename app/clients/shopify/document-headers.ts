import { shopDomain } from "../../modules/kernel/ids.ts";

const SHOPIFYS_FILES = "https://cdn.shopify.com";
/** Where App Bridge reports how fast pages are. */
const SHOPIFYS_METRICS = "https://monorail-edge.shopifysvc.com";

interface Embedding {
  adminOrigin: string;
  appBridgeUrl: string;
}

/**
 * Only this shop's admin may frame a page (Shopify's rule for embedded apps), and only scripts of our own and of Shopify's
 * run there: inline ones carry this answer's `nonce`. Polaris writes style attributes. Nothing of an embedded page is kept
 * by caches in between.
 */
export function addDocumentHeaders(
  headers: Headers,
  request: Request,
  { nonce, ...embedding }: Embedding & { nonce: string },
): void {
  addHeaders(headers, request, { ...embedding, inline: `'nonce-${nonce}'` });
}

/**
 * The same for the page that fetches a session token, to which Shopify's library gives none but who may frame it, in the words of
 * its address. App Bridge fetches the page that was meant and writes it into this one, whose policy stays: inline scripts
 * come with a nonce that nobody knew here.
 */
export function addBounceHeaders(headers: Headers, request: Request, embedding: Embedding): void {
  addHeaders(headers, request, { ...embedding, inline: "'unsafe-inline'" });
}

function addHeaders(
  headers: Headers,
  request: Request,
  { adminOrigin, appBridgeUrl, inline }: Embedding & { inline: string },
): void {
  const shop = shopDomain(new URL(request.url).searchParams.get("shop") ?? "");
  const ancestors = shop ? `https://${shop} ${adminOrigin}` : adminOrigin;
  const bridge = new URL(appBridgeUrl).origin;
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${inline} ${bridge} ${SHOPIFYS_FILES}`,
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
