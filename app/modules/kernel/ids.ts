/** Shopify's global ids, told apart by their own text so that one cannot be passed for another. */
export type OrderId = `gid://shopify/Order/${string}`;
export type LineItemId = `gid://shopify/LineItem/${string}`;
export type CustomerId = `gid://shopify/Customer/${string}`;
export type ProductId = `gid://shopify/Product/${string}`;
export type VariantId = `gid://shopify/ProductVariant/${string}`;

interface Gids {
  Order: OrderId;
  LineItem: LineItemId;
  Customer: CustomerId;
  Product: ProductId;
  ProductVariant: VariantId;
}

/** Reads a global id, or the number of one, as the kind that is expected. Throws on another kind. */
export function gid<K extends keyof Gids>(kind: K, value: string | number): Gids[K] {
  const prefix = `gid://shopify/${kind}/`;
  const text = String(value);
  const number = text.startsWith(prefix) ? text.slice(prefix.length) : text;
  if (!/^\d+$/.test(number)) throw new Error(`Not an id of a ${kind}`);
  return `${prefix}${number}` as Gids[K];
}

/** The number at the end of a global id, as Shopify shows it in addresses. */
export function gidNumber(id: string): string {
  return id.slice(id.lastIndexOf("/") + 1);
}

/** The platform keeps rows and keys apart by it, and knows no other id. */
export { type ShopDomain, shopDomain } from "../../platform/shop-domain.ts";
