import type { Environment } from "../shops/connection.ts";
import type {
  KeptResult,
  NamedPerson,
  ReferralSnapshot,
  ResultSnapshot,
  Times,
} from "./snapshots.ts";

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
  serviceCreatedAt: Date;
  serviceUpdatedAt: Date;
  deletedAt: Date | null;
  fetchedAt: Date;
  /** The thing in its place: the next generation's request, or a referral that the service made by itself. */
  replacedBy: string | null;
  /** Number of the patient's correction that it carries; 0 as created. */
  correction: number;
  /** Advice about the routing of Medicare results (interface §2.1). */
  routingMessage: string | null;
  /** Whether it names another person than the one it was ordered for; null until it is compared (earlier versions). */
  otherPerson: boolean | null;
}

/** Whether it counts still: neither deleted nor replaced. */
export function isCurrent({
  deletedAt,
  replacedBy,
}: Pick<StoredReferral, "deletedAt" | "replacedBy">): boolean {
  return deletedAt === null && replacedBy === null;
}

/** Whether it was deleted at the service, and nothing stands in its place. */
export const isGone = ({
  deletedAt,
  replacedBy,
}: Pick<StoredReferral, "deletedAt" | "replacedBy">): boolean =>
  deletedAt !== null && replacedBy === null;

/** The service's clock may be ahead of ours by this much. */
const CLOCK_TOLERANCE_MS = 10 * 60_000;

/** The stored facts of a referral or result that tell which of two readings is the later one. */
type Read = Pick<StoredReferral, "serviceUpdatedAt" | "fetchedAt">;

/**
 * Whether what is stored is newer than a reading of `updatedAt`. A stored time that still lay ahead when it was read was written by a
 * clock that was wrong, or does not say its offset: then what was asked for later counts, or nothing would until that time. So it does
 * of a reading that does not say when it changed, and of one that was asked for hours later.
 */
export function isNewer(
  { serviceUpdatedAt, fetchedAt }: Read,
  { updatedAt, askedAt }: { updatedAt: string | null; askedAt: Date },
): boolean {
  if (updatedAt === null) return askedAt < fetchedAt;
  if (serviceUpdatedAt <= new Date(updatedAt)) return false;
  const isCredible = serviceUpdatedAt.getTime() <= fetchedAt.getTime() + CLOCK_TOLERANCE_MS;
  const isLongAfter = askedAt.getTime() - fetchedAt.getTime() > MAX_LATE_ANSWER_MS;
  return (isCredible && !isLongAfter) || askedAt <= fetchedAt;
}

/** No machine of the service answers with what was true so long ago: its clock was set back, or its data. */
export const MAX_LATE_ANSWER_MS = 6 * 3_600_000;

/** By how much a service's clock may be behind ours, of which nothing is known. */
const UNKNOWN_CLOCK_MS = 24 * 3_600_000;

/**
 * The times that a reading is stored with. A reading that does not say when it changed keeps the time of the one before it, or of its creation: by our
 * clock it would be newer than a change that follows, where the service's is behind. A creation that is not dated counts as so early
 * that no search ends before it (recovery-lower-bound.ts).
 */
export function datesOf(
  { createdAt, updatedAt }: Pick<Times, "createdAt" | "updatedAt">,
  before: Pick<StoredReferral, "serviceCreatedAt" | "serviceUpdatedAt"> | null,
  askedAt: Date,
): { createdAt: Date; updatedAt: Date } {
  const earliest = new Date(askedAt.getTime() - UNKNOWN_CLOCK_MS);
  const created = createdAt ? new Date(createdAt) : (before?.serviceCreatedAt ?? earliest);
  return {
    createdAt: created,
    updatedAt: updatedAt ? new Date(updatedAt) : (before?.serviceUpdatedAt ?? created),
  };
}

/**
 * Whether a referral that was deleted lives again by a reading. A deletion changes no other time (interface §3), so that only what
 * was asked for after it was read tells so.
 */
export const livesAgain = (
  before: Pick<StoredReferral, "deletedAt" | "fetchedAt"> | null,
  read: { deletedAt: string | null; askedAt: Date },
): boolean =>
  before !== null &&
  before.deletedAt !== null &&
  read.deletedAt === null &&
  before.fetchedAt < read.askedAt;

export interface ReferralRepository {
  /**
   * Overwrites the snapshot whole, unless a newer one is stored (interface §1.3).
   * Returns the status stored before, `undefined` when there was none, "stale" when it kept the newer one, or "anothers" when
   * it is stored for another request: it never goes over to this one.
   * A deletion stays until a reading that was asked for later says that it lives again. The routing message stays: it is told once.
   * Takes its form away when a new one is being or has been made: the old one is shown to nobody until that is stored.
   * `known` is what is stored of it, for whoever has read it since the request was locked. What was found about its person stays
   * where `otherPerson` is left out.
   */
  save(
    environment: Environment,
    requestId: string,
    snapshot: ReferralSnapshot,
    at: Date,
    more?: { known?: StoredReferral | null | undefined; otherPerson?: boolean },
  ): Promise<
    | { outcome: "stored"; previousStatus: string | undefined }
    | { outcome: "stale" }
    | { outcome: "anothers" }
  >;
  find(uuid: string): Promise<StoredReferral | null>;
  /** The person that it named when it was read last; null where nothing of that is left. */
  personOf(uuid: string): Promise<NamedPerson | null>;
  /** The ids of the tests that it had when it was read last; none where nothing of that is left. */
  testsOf(uuid: string): Promise<string[]>;
  /** Notes that a person has found those of a request that count to be their patient's. Returns which. */
  confirmPerson(requestId: string): Promise<string[]>;
  /** In the order in which the service made them. */
  forRequests(requestIds: string[]): Promise<StoredReferral[]>;
  /** When the newest referral known here was created, by the service's clock; null when none is known. */
  newestCreation(environment: Environment): Promise<Date | null>;
  /** Notes that the service has no such referral any more. */
  markGone(uuid: string, at: Date): Promise<void>;
  markReplaced(uuids: string[], by: string): Promise<void>;
  /** Notes that it carries a correction of its patient's details, unless it carries a later one. */
  markCorrected(uuid: string, correction: number): Promise<void>;
  /**
   * Referrals that changed at the service in the last 30 days and name a result of which nothing is stored, the one that
   * was asked for longest ago first. None that is deleted, or whose patient's data was destroyed.
   */
  withoutTheirResult(limit: number): Promise<{ environment: Environment; uuid: string }[]>;
  /** The referral that names a result, unless it is deleted; null without one. */
  announcing(resultUuid: string): Promise<StoredReferral | null>;
  /** Requests whose billing failed, and that nothing replaced and nobody has dealt with, oldest first, behind one of them. */
  billingFailed(page: { after: string | null; limit: number }): Promise<string[]>;
  /** Whether a request is one of them. */
  isBillingFailed(requestId: string): Promise<boolean>;
  countBillingFailed(): Promise<number>;
}

export interface StoredResult {
  uuid: string;
  environment: Environment;
  requestId: string;
  referralUuid: string;
  status: string;
  partial: boolean;
  inReview: boolean;
  /** It names another person than the one it was ordered for: nobody is shown it. */
  otherPerson: boolean;
  releasedAt: Date | null;
  /** Since when a person is to release it; null while it is not held, and for those held by earlier versions. */
  heldAt: Date | null;
  /** How many alerts about the hold are out. */
  holdAlerts: number;
  /** When it was last corrected after its patient could see it; null when it never was. */
  correctedAt: Date | null;
  /** When its figures, as they are stored, were first read; null for those of earlier versions. */
  figuresAt: Date | null;
  deletedAt: Date | null;
  serviceUpdatedAt: Date;
  /** When it was first read; null for those of earlier versions. `fetchedAt`: when it was last read. */
  receivedAt: Date | null;
  fetchedAt: Date;
}

/**
 * The release of a result: who released it, and the note. Health content: it is sealed, and destroyed with the
 * result.
 */
export interface ReleaseRecord {
  name: string;
  comment: string | null;
  /** Whether the patient had been told before. */
  contacted: boolean;
}

/** Whether a person is to decide that its patient sees it. */
export function isHeld(
  result: Pick<StoredResult, "releasedAt" | "inReview" | "deletedAt"> &
    Partial<Pick<StoredResult, "otherPerson">>,
) {
  const { releasedAt, inReview, otherPerson = false, deletedAt } = result;
  return releasedAt === null && !inReview && !otherPerson && deletedAt === null;
}

export interface ResultRepository {
  /**
   * Overwrites the snapshot whole, unless a newer one is stored or its request was redacted. `known` is what is stored of it, for
   * whoever has read it since the request was locked.
   */
  save(
    result: {
      environment: Environment;
      requestId: string;
      snapshot: ResultSnapshot;
      partial: boolean;
      inReview: boolean;
      otherPerson: boolean;
      /** Whom it means, where a reading leaves that out and another one named somebody else. */
      named?: NamedPerson | undefined;
      releasedAt: Date | null;
      /** Null when it is left out. */
      heldAt?: Date | null;
      /** Null when it is left out. */
      correctedAt?: Date | null;
      /** Null when it is left out. */
      figuresAt?: Date | null;
      at: Date;
    },
    known?: StoredResult | null,
  ): Promise<"stored" | "stale" | "redacted">;
  find(uuid: string): Promise<StoredResult | null>;
  forRequests(requestIds: string[]): Promise<StoredResult[]>;
  /** Lets the patient see a request's results that are held here (`isHeld`), or one of them. Returns those. */
  release(
    requestId: string,
    at: Date,
    uuid?: string,
  ): Promise<{ uuid: string; partial: boolean }[]>;
  /** Notes that a result is of a referral that names another person: nobody sees it any more. */
  withhold(uuid: string): Promise<void>;
  /** Keeps who released a result, and why. */
  recordRelease(uuid: string, record: ReleaseRecord): Promise<void>;
  /** Null for results that were never held. */
  releaseOf(uuid: string): Promise<ReleaseRecord | null>;
  /** Records since when a result is held, and how many alerts are out. */
  recordHold(uuid: string, hold: Pick<StoredResult, "heldAt" | "holdAlerts">): Promise<void>;
  /** Those that a person is to release (`isHeld`), the longest held first. */
  held(limit: number): Promise<StoredResult[]>;
  /** The clinical content. Ask for it only to show it to its patient. */
  snapshotOf(uuid: string): Promise<KeptResult | null>;
  /** As `snapshotOf`, for whoever is about to overwrite it; null also where its bytes are damaged, which is logged and counted. */
  snapshotBefore(uuid: string): Promise<KeptResult | null>;
  /** The person that it was last found to name, to be compared; null where none is stored that can be read. */
  personBefore(uuid: string): Promise<NamedPerson | null>;
  /** As `snapshotOf`; null also where its key was destroyed. */
  snapshotUnlessErased(uuid: string): Promise<KeptResult | null>;
}
