/** A shop's permanent domain, for example `pathway-demo.myshopify.com`. */
export type ShopDomain = `${string}.myshopify.com`;

const SHOP_DOMAIN = /^[a-z0-9][a-z0-9-]{0,59}\.myshopify\.com$/;

/** Reads a shop domain; null when it is not one. */
export function shopDomain(value: string): ShopDomain | null {
  const lower = value.toLowerCase();
  return SHOP_DOMAIN.test(lower) ? (lower as ShopDomain) : null;
}
