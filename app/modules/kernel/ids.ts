import { z } from "zod";

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

/**
 * An id of ours that somebody sent, as the database writes it. Fields are sealed with the id of their row: in capitals, the same id
 * would be another's key and place.
 */
export const uuidSchema = z.uuid().toLowerCase();

/** Reads an id of ours from an address or a form; undefined for anything else. */
export const readUuid = (value: unknown): string | undefined => uuidSchema.safeParse(value).data;

/** The platform keeps rows and keys apart by it, and knows no other id. */
export { type ShopDomain, shopDomain } from "../../platform/shop-domain.ts";
