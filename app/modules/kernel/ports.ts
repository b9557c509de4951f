import type { Clock } from "../../platform/clock.ts";
import type { Logger } from "../../platform/logger.ts";
import type { ShopDomain } from "./ids.ts";
import type { Mailer } from "./notification.ts";

/** Waiting times that an operator may change. All in milliseconds. */
export interface Waits {
  /** How long a create call may take (interface §4.2 rule 12). */
  createTimeoutMs: number;
  /** How long an unclear attempt is left alone before the second scan (docs/architecture.md, ledger rule 5). */
  quarantineMs: number;
  /** How long a shop’s erasure can still be cancelled after it was asked for. */
  erasureDelayMs: number;
  /** How long a PDF may be missing before a person is told. */
  documentOverdueMs: number;
  syncIntervalMs: number;
  /** How long a day lasts by which reminders are counted; shorter only to watch them. */
  reminderDayMs: number;
  /** How long news of an order waits for further news, to be mailed together. */
  mailWindowMs: number;
  /** How long an hour lasts by which alerts about held results are counted; shorter only to watch them. */
  escalationHourMs: number;
}

/** Port: mails that went out, kept where they outlive the database (docs/decisions/0198). Asking it costs nothing. */
export interface MailJournal {
  /** Adds mails that the mail server took: keyed hashes of what each was about and of what it said, and when. */
  add(words: readonly { about: string; says: string; at: Date }[]): void;
  /** The last mail about this that the lost database's workers sent. Null where none is known, and while no database is lost. */
  lastOf(about: string): { says: string; at: Date } | null;
  /**
   * Since when the lost database's mails are known; null where they are not, or no database is lost. Until that was looked up, all are
   * said to be known, and none is: told twice is better than never.
   */
  knownSince(): Date | null;
}

/** The ports that every module needs. Each module's Ports adds its own to those of the modules below. */
export interface Ports {
  mailer: Mailer;
  mailJournal: MailJournal;
  clock: Clock;
  logger: Logger;
  waits: Waits;
  /** How often each shop is looked after: missed orders, privacy requests, what is to be forgotten. In milliseconds. */
  maintenanceIntervalMs: number;
  /** Where the world reaches Pathway, without a slash at its end. */
  appUrl: string;
  /** The page of the shop's own domain that shows a signed-in customer their tests, for legacy accounts. */
  accountPageUrl(shop: ShopDomain): string;
  /** Where staff open a page of Pathway inside the shop's admin. */
  adminPageUrl(shop: ShopDomain, path: string): string;
}
