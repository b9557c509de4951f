import type { CustomerId } from "../kernel/ids.ts";
import { isBeforeSetBack } from "../kernel/secret.ts";
import type { UnitOwner } from "../patients/unit-owner.ts";

/** A link to one released result, with a passcode, for the owner's doctor. */
export interface ResultShare {
  id: string;
  requestId: string;
  resultId: string;
  /** Who shared it. */
  owner: UnitOwner;
  customerId: CustomerId | null;
  /** The release that it shares: a result that is held again and released later is another one. */
  releasedAt: Date;
  expiresAt: Date;
  revokedAt: Date | null;
  failedTries: number;
  lastFailedAt: Date | null;
  createdAt: Date;
}

/** What the owner gives to the doctor. */
export interface ShareSecret {
  token: string;
  passcode: string;
}

export interface ShareRepository {
  create(
    share: Omit<ResultShare, "revokedAt" | "failedTries" | "lastFailedAt"> & { tokenHash: Buffer },
    secret: ShareSecret,
  ): Promise<void>;
  find(id: string): Promise<ResultShare | null>;
  /** Nobody else counts tries of it until the transaction ends. */
  findByTokenForUpdate(tokenHash: Buffer): Promise<ResultShare | null>;
  /** Of these requests, newest first, without those that somebody ended: an owner can make and end any number. */
  forRequests(requestIds: readonly string[]): Promise<ResultShare[]>;
  secretOf(id: string): Promise<ShareSecret | null>;
  countFailure(id: string, at: Date): Promise<void>;
  revoke(id: string, at: Date): Promise<void>;
  /** The proof that a browser has shown the passcode of a share. Nobody can make it without the shop's key. */
  visitProof(id: string, expiresAt: number): Buffer;
}

export const SHARE_DAYS = { usual: 14, max: 90 } as const;
/** Live shares of one result: more would be no longer for a doctor. */
export const MAX_SHARES = 10;
/** After so many wrong passcodes nobody can try for an hour. */
const TRIES_PER_PAUSE = 5;
const PAUSE_MS = 3_600_000;
/** After so many the share ends: somebody guesses. */
const MAX_TRIES = 20;

/** When the next passcode may be tried; null when one may be tried now. */
export function pausedShareUntil(
  { failedTries, lastFailedAt }: Pick<ResultShare, "failedTries" | "lastFailedAt">,
  now: Date,
): Date | null {
  if (!lastFailedAt || failedTries === 0 || failedTries % TRIES_PER_PAUSE > 0) return null;
  if (isBeforeSetBack(lastFailedAt, now)) return null;
  const until = new Date(lastFailedAt.getTime() + PAUSE_MS);
  return now < until ? until : null;
}

/** Whether the share itself has ended, whatever became of its result. */
export const hasShareEnded = (
  { revokedAt, expiresAt, failedTries }: ResultShare,
  now: Date,
): boolean => revokedAt !== null || expiresAt <= now || failedTries >= MAX_TRIES;
