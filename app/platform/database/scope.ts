import type { ShopSealer } from "../encryption/sealer.ts";
import type { SubjectKeys } from "../encryption/subject-keys.ts";
import type { ShopDomain } from "../shop-domain.ts";
import type { Transaction } from "./transactions.ts";

/** Keeps outside the database that links ended, so that none of them opens in a backup (docs/decisions/0218). */
export interface LinkEnds {
  /** Notes that these ended. They are written down within seconds. */
  note(names: readonly string[], at: Date): void;
  /** When one of this name ended; null while this database took no other one's place. Throws where that cannot be read. */
  endedAt(name: string): Promise<Date | null>;
}

/** The means of every repository: one transaction, one shop, that shop's keys. */
export interface Scope {
  tx: Transaction;
  shop: ShopDomain;
  /** Seals what belongs to the shop itself. */
  sealer: ShopSealer;
  /** Seals what is said about people: whatever has to vanish with a request, an order or an export. */
  keys: SubjectKeys;
  ends: LinkEnds;
  /** A handler for an error that may be left alone (`platform/tolerate.ts`). */
  tolerate(at: string): (error: unknown) => void;
}
