import type { ShopDomain } from "../../modules/kernel/ids.ts";
import type { Transaction } from "../database.ts";
import type { Sealer } from "../sealer.ts";

/** What every repository works with: one transaction, one shop, that shop's key. */
export interface Scope {
  tx: Transaction;
  shop: ShopDomain;
  sealer: Sealer;
}
