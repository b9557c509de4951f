import type { Tenant } from "./tenant.ts";

/**
 * Why it is in doubt whose orders come under a shop's domain (docs/decisions/0165): its store has the app under another domain too, or
 * another store has the domain.
 */
export const STORE_DOUBTS = ["store_has_other_name", "domain_of_other_store"] as const;
export type StoreDoubt = (typeof STORE_DOUBTS)[number];

/**
 * The outcome of a sign-in. `kept`: its session is the shop's from now on. `of_other_store`: the shop has left, and another store has its
 * name. `unknown`: the shop has left, and Shopify did not tell which store has its name.
 */
export type SignIn = "kept" | "of_other_store" | "unknown";

/** Work for another store waits so long: the doubt is read anew each hour. */
export const DOUBT_MS = 3_600_000;

/** Reads that doubt; null where there is none, and once the merchant lets orders go on by themselves. */
export async function storeDoubt({ shops }: Tenant): Promise<StoreDoubt | null> {
  const known = await shops.find();
  if (!known) return null;
  if (known.otherStoreId) return "domain_of_other_store";
  return known.holdOrders && (await shops.hasOtherName()) ? "store_has_other_name" : null;
}

/**
 * Whether what was read under a shop's domain is another store's, and none of its rows may change by it. `storeId` is the id that the
 * answer itself tells; without one, what was found last counts.
 */
export async function isOfOtherStore({ shops }: Tenant, storeId?: string): Promise<boolean> {
  const known = await shops.find();
  if (!storeId || !known) return Boolean(known?.otherStoreId);
  if (storeId === known.storeId && !known.otherStoreId) return false;
  await shops.identify(storeId);
  return Boolean((await shops.find())?.otherStoreId);
}
