import type { Environment } from "../shops/connection.ts";

/** The service's lists, in the order in which a walk goes through them. */
export const SYNCED_LISTS = ["referrals", "results"] as const;
export type SyncedList = (typeof SYNCED_LISTS)[number];

/** One walk through the service's lists, from now back to what was compared before; it may take many jobs. */
export interface SyncWalk {
  list: SyncedList;
  /** Where the next page begins; null at the list's beginning. */
  cursor: string | null;
  startedAt: Date;
  /** Referrals that were created or changed earlier are known, and not looked at. A page of older entries alone is its list's last. */
  lowerBound: Date;
  /** Pages read so far, of both lists. */
  pages: number;
}

/** An entry of a list, as far as it is compared with what is stored. */
export interface ComparedEntry {
  uuid: string;
  /** Milliseconds since 1970, like updatedAt. */
  createdAt: number;
  updatedAt: number;
  isDeleted: boolean;
}

export interface ServiceSyncRepository {
  find(environment: Environment): Promise<SyncWalk | null>;
  begin(environment: Environment, walk: SyncWalk): Promise<void>;
  /**
   * Notes that the walk has read so many more pages and goes on at `next`, or is at its end (null). False when
   * it is not where `walk` says: another run is at it.
   */
  advance(
    environment: Environment,
    walk: SyncWalk,
    step: { pages: number; next: Pick<SyncWalk, "list" | "cursor"> | null },
  ): Promise<boolean>;
  /** Gives a walk up, so that the next one begins anew. */
  abandon(environment: Environment): Promise<void>;
  /** More changes that no event had told. */
  countRepairs(environment: Environment, count: number): Promise<void>;
  /**
   * Returns the referrals or results that are not stored as they are: later ones, deleted ones, unknown ones
   * (`isKnown` false), and earlier ones where the later one was read hours ago: the service's clock was set back.
   */
  differing(
    list: SyncedList,
    entries: ComparedEntry[],
    now: Date,
  ): Promise<{ uuid: string; isKnown: boolean }[]>;
  /** Returns the referrals of this shop that still hold somebody's data. */
  living(referralUuids: string[]): Promise<Set<string>>;
  /** Creation time at the service of the oldest referral that may still change, or whose result may; or null. */
  oldestOpen(environment: Environment): Promise<Date | null>;
  /**
   * Referrals that may still change, or whose result may, and that were read last before a moment; the oldest first.
   * `isToldToo`: also those that are told to be unreadable or not found.
   */
  openReadBefore(
    environment: Environment,
    before: Date,
    which: { isToldToo: boolean; limit: number },
  ): Promise<string[]>;
}
