import type { ShopSealer } from "../encryption/sealer.ts";
import type { SubjectKeys } from "../encryption/subject-keys.ts";
import type { ShopDomain } from "../shop-domain.ts";
import type { Transaction } from "./transactions.ts";

/**
 * Keeps outside the database what a backup must not take back: that links ended (docs/decisions/0218), and whose a unit became
 * (docs/decisions/0219).
 */
export interface RestoreJournal {
  /** Notes that something of these names happened. It is written down within seconds. */
  note(names: readonly string[], at: Date): void;
  /**
   * When something of this name happened last; null where it did not, and while this database took no other one's place. Throws
   * where that cannot be read.
   */
  notedAt(name: string): Promise<Date | null>;
}

/** The means of every repository: one transaction, one shop, that shop's keys. */
export interface Scope {
  tx: Transaction;
  shop: ShopDomain;
  /** Seals what belongs to the shop itself. */
  sealer: ShopSealer;
  /** Seals what is said about people: whatever has to vanish with a request, an order or an export. */
  keys: SubjectKeys;
  restoreJournal: RestoreJournal;
  /** A handler for an error that may be left alone (`platform/tolerate.ts`). */
  tolerate(at: string): (error: unknown) => void;
}
