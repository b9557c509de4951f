import type { ShopDomain } from "../kernel/ids.ts";
import type { CustomerAccounts } from "./shop.ts";

/** The facts of the store that decide what Pathway may do there, and where customers find their tests. */
export interface StoreFacts {
  /** Comma-separated, as Shopify tells them: a read scope is left out where its write scope is there. */
  scopes: string;
  accounts: CustomerAccounts;
  /** As IANA names it; undefined when the store told none that is valid. */
  timeZone: string | undefined;
  /** Shopify's own id of the store; undefined when the answer did not say. */
  storeId: string | undefined;
  /** The currency of its prices, as ISO 4217 names it. */
  currency: string;
}

/** Port: what the merchant has allowed and set in the store. */
export interface StoreFactsReader {
  /** Rejects with StoreError. */
  read(shop: ShopDomain): Promise<StoreFacts>;
  /** Whether granted scopes, as Shopify tells them, include all the needed ones. */
  covers(granted: string, needed: readonly string[]): Promise<boolean>;
}
