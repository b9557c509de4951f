import { shopDomain } from "../../modules/kernel/ids.ts";

/**
 * Only this shop's admin may frame a page (Shopify's rule for embedded apps). Nothing of an embedded page is
 * kept by caches in between.
 */
export function addDocumentHeaders(headers: Headers, request: Request, adminOrigin: string): void {
  const shop = shopDomain(new URL(request.url).searchParams.get("shop") ?? "");
  const ancestors = shop ? `https://${shop} ${adminOrigin}` : adminOrigin;
  headers.set("Content-Security-Policy", `frame-ancestors ${ancestors};`);
  headers.set("Referrer-Policy", "strict-origin-when-cross-origin");
  headers.set("X-Content-Type-Options", "nosniff");
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
}
