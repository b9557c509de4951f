import type { CustomerId, ShopDomain } from "../kernel/ids.ts";

/** Whether the store lets the app in. `unknown`: there is no token to ask with, and nothing says why. */
export type StoreAnswer = "open" | "refused" | "unknown";

/** Port: what the store says of itself, to confirm what a webhook claims. Rejects with StoreError. */
export interface StoreAccess {
  check(shop: ShopDomain): Promise<StoreAnswer>;
  hasCustomer(shop: ShopDomain, customerId: CustomerId): Promise<boolean>;
}
