import type { ShopSealer } from "../encryption/sealer.ts";
import type { SubjectKeys } from "../encryption/subject-keys.ts";
import type { ShopDomain } from "../shop-domain.ts";
import type { Transaction } from "./transactions.ts";

/** The means of every repository: one transaction, one shop, that shop's keys. */
export interface Scope {
  tx: Transaction;
  shop: ShopDomain;
  /** Seals what belongs to the shop itself. */
  sealer: ShopSealer;
  /** Seals what is said about people: whatever has to vanish with a request, an order or an export. */
  keys: SubjectKeys;
  /** A handler for an error that may be left alone (`platform/tolerate.ts`). */
  tolerate(at: string): (error: unknown) => void;
}
