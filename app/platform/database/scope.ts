import type { ShopDomain } from "../../modules/kernel/ids.ts";
import type { Sealer } from "../encryption/sealer.ts";
import type { Transaction } from "./database.ts";

/** The means of every repository: one transaction, one shop, that shop's key. */
export interface Scope {
  tx: Transaction;
  shop: ShopDomain;
  sealer: Sealer;
}
