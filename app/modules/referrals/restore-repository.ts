import type { Environment } from "../shops/connection.ts";

/** A referral that the service holds and no request knows. `isDeleted`: the service lists it as deleted. */
export interface UnclaimedReferral {
  uuid: string;
  referenceNumber: string;
  isDeleted?: boolean;
}

/** The questions that a restore from backup leaves open before anything may be sent (ledger rule 7). */
export interface RestoreRepository {
  /**
   * Null unless sending is paused. Else since when, and the moment up to which the restored database knew everything,
   * early enough for the service's clock as well: referrals that were made since are unknown to it.
   */
  pause(environment: Environment): Promise<{ since: Date; knownUntil: Date } | null>;
  /** Since when sending is paused for a request whose order was paid before that; null when it is not, or was paid since. */
  pauseOfOlder(requestId: string): Promise<Date | null>;
  /**
   * When this database took the place of another one, and until when that one is known to have done its work; null when it
   * never did.
   */
  lastSwitch(): Promise<{ at: Date; servedUntil: Date } | null>;
  /** Whether sending is paused, and referrals that the service holds already under this reference number. */
  holds(
    environment: Environment,
    referenceNumber: string,
  ): Promise<{ isSendingPaused: boolean; uuids: string[] }>;
  /** Ends a pause that began at `pausedUpTo` or before. Returns whether there was one. */
  resume(environment: Environment, pausedUpTo: Date): Promise<boolean>;
  /** Keeps in mind referrals whose orders are not known yet. A later list may say of a kept one that it was deleted. */
  recordUnclaimed(environment: Environment, referrals: UnclaimedReferral[]): Promise<void>;
  /** Referrals kept in mind under any of these reference numbers. */
  unclaimed(
    referenceNumbers: string[],
  ): Promise<(Required<UnclaimedReferral> & { environment: Environment })[]>;
  /** The reference number of a referral that is kept in mind; null when it is not. */
  referenceNumberOf(environment: Environment, uuid: string): Promise<string | null>;
  /** Keeps a referral in mind no longer: it has its request, or the service does not know it any more. */
  forget(environment: Environment, uuid: string): Promise<void>;
}
