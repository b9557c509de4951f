import type { Environment } from "../connections/connection.ts";
import type { ReferralSnapshot, ResultSnapshot } from "./snapshots.ts";

/** A referral as stored: what may be shown to staff in clear. */
export interface StoredReferral {
  uuid: string;
  environment: Environment;
  requestId: string;
  medicare: boolean;
  status: string;
  reference: string;
  origin: string;
  resultUuid: string | null;
  serviceUpdatedAt: Date;
  deletedAt: Date | null;
  fetchedAt: Date;
}

export interface ReferralRepository {
  /**
   * Overwrites the snapshot whole, unless a newer one is stored (interface §1.3).
   * Returns the status stored before, `undefined` when there was none, or "stale" when it kept the newer one.
   */
  save(
    environment: Environment,
    requestId: string,
    snapshot: ReferralSnapshot,
    at: Date,
  ): Promise<{ outcome: "stored"; previousStatus: string | undefined } | { outcome: "stale" }>;
  find(uuid: string): Promise<StoredReferral | null>;
  forRequests(requestIds: string[]): Promise<StoredReferral[]>;
  /** Oldest creation time at the service of those that may still change; null when all are finished. */
  oldestUnfinished(environment: Environment): Promise<Date | null>;
}

export interface StoredResult {
  uuid: string;
  environment: Environment;
  requestId: string;
  referralUuid: string;
  status: string;
  partial: boolean;
  inReview: boolean;
  releasedAt: Date | null;
  serviceUpdatedAt: Date;
  fetchedAt: Date;
}

export interface ResultRepository {
  /** Overwrites the snapshot whole, unless a newer one is stored. */
  save(result: {
    environment: Environment;
    requestId: string;
    snapshot: ResultSnapshot;
    partial: boolean;
    inReview: boolean;
    releasedAt: Date | null;
    at: Date;
  }): Promise<"stored" | "stale">;
  find(uuid: string): Promise<StoredResult | null>;
  forRequests(requestIds: string[]): Promise<StoredResult[]>;
  /** Lets the patient see a request's results that are held here, not at the service. Returns those. */
  release(requestId: string, at: Date): Promise<{ uuid: string; partial: boolean }[]>;
  /** The clinical content. Ask for it only to show it to its patient. */
  snapshotOf(uuid: string): Promise<ResultSnapshot | null>;
}
