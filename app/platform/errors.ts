/**
 * An operational failure: expected to happen, named by a stable code, and told apart from bugs (plain throws).
 * Messages and details hold ids and codes only, never names, addresses or results.
 */
export abstract class AppError extends Error {
  abstract readonly code: string;
  /** Whether the same attempt, made later, may succeed without anybody changing anything. */
  abstract readonly retryable: boolean;
}

/** How a call to the service failed; `CreateOutcome` speaks for POST /v1/referrals instead. */
export type ReferralServiceFailure =
  | "connection"
  | "timeout"
  | "rate_limited"
  | "unauthorized"
  | "rejected"
  | "not_found"
  | "server"
  | "contract_mismatch";

const RETRYABLE: ReadonlySet<ReferralServiceFailure> = new Set([
  "connection",
  "timeout",
  "rate_limited",
  "server",
]);

/**
 * Failures that say that the service is away, or that it does not let the shop in, for now or until somebody acts. Every other one is an answer.
 */
export const NOT_ANSWERED: ReadonlySet<ReferralServiceFailure> = new Set([
  "connection",
  "timeout",
  "rate_limited",
  "server",
  "unauthorized",
  "contract_mismatch",
]);

/** Ids in an answer, or an entry of one, that cannot be read: whose it may be. */
export interface AnswerIds {
  /** Empty when it does not say that. */
  uuid: string;
  /** The referral that a result names; null for a referral. */
  referralUuid: string | null;
  /** A reference number of ours that stands anywhere in it. */
  referenceNumber: string | null;
}

/** A failed call to the service's API or token service (interface §7). */
export class ReferralServiceError extends AppError {
  readonly failure: ReferralServiceFailure;
  /** HTTP status, or null when no answer came. */
  readonly status: number | null;
  /** The service's own code (interface §7.3) or numeric text of its token service (§7.4). */
  readonly serviceCode: string | null;
  readonly errorList: string[];
  readonly retryAfterMs: number | null;
  /** Whether this process gave the call up by itself: that says nothing about the service. */
  readonly isOurs: boolean;
  /** The ids in an answer that is JSON and cannot be read. */
  readonly ids: AnswerIds | null;

  constructor(
    failure: ReferralServiceFailure,
    message: string,
    detail: {
      status?: number;
      serviceCode?: string;
      errorList?: string[];
      retryAfterMs?: number;
      isOurs?: boolean;
      ids?: AnswerIds;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: detail.cause });
    this.name = "ReferralServiceError";
    this.failure = failure;
    this.status = detail.status ?? null;
    this.serviceCode = detail.serviceCode ?? null;
    this.errorList = detail.errorList ?? [];
    this.retryAfterMs = detail.retryAfterMs ?? null;
    this.isOurs = detail.isOurs ?? false;
    this.ids = detail.ids ?? null;
  }

  get code(): string {
    return `referral_service_${this.failure}`;
  }

  get retryable(): boolean {
    return RETRYABLE.has(this.failure);
  }
}

/** A PDF could not be had from its signed address, or not be stored. A host that is refused may be allowed by the next try. */
export class AttachmentUnavailable extends AppError {
  readonly reason: "expired" | "gone" | "refused" | "not_pdf" | "unreachable" | "not_stored";
  readonly retryable = true;

  constructor(reason: AttachmentUnavailable["reason"], { cause }: { cause?: unknown } = {}) {
    super(`The attachment could not be stored: ${reason}`, { cause });
    this.name = "AttachmentUnavailable";
    this.reason = reason;
  }

  get code(): string {
    return `attachment_${this.reason}`;
  }
}

/** The store of documents did not take, give or find one. It is tried again: the service still has what it made. */
export class DocumentStoreFailed extends AppError {
  readonly retryable = true;
  readonly reason:
    | "unreachable"
    | "refused"
    | "missing"
    | "not_set_up"
    | "not_owner"
    /** The answer is not what was stored: broken off, another object's, or a page of something that is no store. */
    | "unreadable";

  constructor(reason: DocumentStoreFailed["reason"], { cause }: { cause?: unknown } = {}) {
    super(`A document could not be stored or read: ${reason}`, { cause });
    this.name = "DocumentStoreFailed";
    this.reason = reason;
  }

  get code(): string {
    return `document_store_${this.reason}`;
  }
}

/** By its name: pages are bundled with a copy of the class of their own. */
export const isDocumentStoreFailed = (error: unknown): boolean =>
  error instanceof Error && error.name === "DocumentStoreFailed";

/** The database can only be read: a standby that was not promoted, or not yet, or one that somebody made read-only. */
export class DatabaseNotWritable extends AppError {
  readonly code = "database_not_writable";
  readonly retryable = true;

  constructor() {
    super("The database takes no writes: nothing can be done until it does");
    this.name = "DatabaseNotWritable";
  }
}

/** The database is another one than was noted, and what the other one knew last may be missing in it. */
export class DatabaseSwitched extends AppError {
  readonly code = "database_switched";
  readonly retryable = true;

  constructor() {
    super("The database is another one than before");
    this.name = "DatabaseSwitched";
  }
}

/** Two addresses of this process lead to two databases, as when a failover or a restore has changed one of them alone. */
export class DatabasesDiffer extends AppError {
  readonly code = "databases_differ";
  readonly retryable = true;

  constructor() {
    super("The addresses of this process lead to two databases");
    this.name = "DatabasesDiffer";
  }
}

/** A transaction took longer than any may, and was taken back. */
export class TransactionTimedOut extends AppError {
  readonly code = "transaction_timed_out";
  readonly retryable = true;

  constructor() {
    super("The transaction took too long and was taken back");
    this.name = "TransactionTimedOut";
  }
}

/** A sealed value names a key that this process does not have: it was replaced meanwhile, or destroyed. */
export class KeyUnknown extends AppError {
  readonly code = "key_unknown";
  readonly retryable = true;
  /** The version that the value names; left out where nothing was to be opened. */
  readonly version: number | undefined;

  constructor(version?: number) {
    super("The key of a sealed value is not known here");
    this.name = "KeyUnknown";
    this.version = version;
  }
}

/** Sealed bytes are not what was stored: the disk changed them, or somebody put them in another's place. */
export class SealedDamaged extends AppError {
  readonly code = "sealed_damaged";
  readonly retryable = true;

  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "SealedDamaged";
  }
}

/**
 * Keys of a shop are there and are none: bytes of the rows in `data_keys` are not what was stored. What they seal opens once a
 * backup's row is back. `subjects` are kinds and ids of what they seal, for whoever puts it back.
 */
export class KeyDamaged extends AppError {
  readonly code = "key_damaged";
  readonly retryable = true;
  readonly subjects: readonly string[];

  constructor(subjects: readonly string[] = []) {
    super("A key is damaged: what it seals can't be opened");
    this.name = "KeyDamaged";
    this.subjects = subjects;
  }
}

/** Files hold notes of erasures and are not what was written. What they note can't be erased again before they are back. */
export class NotesDamaged extends AppError {
  readonly code = "note_damaged";
  readonly retryable = true;
  readonly files: readonly string[];

  constructor(files: readonly string[]) {
    super("Notes of erasures are damaged: put the mirror's files back");
    this.name = "NotesDamaged";
    this.files = files;
  }
}

/** The database has no key of what a sealed value is about: it was erased. */
export class KeyDestroyed extends KeyUnknown {}

/** The database is not as a process needs it; the message is the remedy, in one sentence. */
export class AccessMissing extends Error {
  readonly code = "access_missing";
  constructor(message: string) {
    super(message);
    this.name = "AccessMissing";
  }
}
