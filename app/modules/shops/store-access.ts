import type { CustomerId, ShopDomain } from "../kernel/ids.ts";

/**
 * Whether the store lets the app in. `of_other_store`: the name is another store's now, and that one does. `unknown`: there is no token
 * to ask with, and nothing says why.
 */
export type StoreAnswer = "open" | "refused" | "of_other_store" | "unknown";

/** Whether the store whose rows they are has left, by what was answered. */
export const hasLeft = (answer: StoreAnswer): boolean =>
  answer === "refused" || answer === "of_other_store";

/** Port: what the store says of itself, to confirm what a webhook claims. Rejects with StoreError. */
export interface StoreAccess {
  check(shop: ShopDomain): Promise<StoreAnswer>;
  hasCustomer(shop: ShopDomain, customerId: CustomerId): Promise<boolean>;
}
