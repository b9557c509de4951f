import type { MedicareCard, Patient } from "../patients/patient.ts";
import type { ApiVersion } from "../shops/connection.ts";
import type {
  CatalogueBundle,
  CatalogueTest,
  ListedReferral,
  ListedResult,
  ReferralSnapshot,
  ResultSnapshot,
  UnreadableReferral,
} from "./snapshots.ts";
import type { ReadList, UnreadableListed } from "./unreadable-entry.ts";

/** Doctor under whose provider number Medicare tests are ordered (interface §4.2 rule 9). */
export interface Practitioner {
  name: string;
  address: string;
  providerNumber: string;
}

/**
 * The items that one request orders. At least one of bundleId, tests, medicareTests is given (interface §4.2 rule 1).
 */
export interface OrderedItems {
  bundleId: string | null;
  tests: string[];
  medicareTests: string[];
  practitioner: Practitioner | null;
}

/** One create call (interface §4.2, POST /v1/referrals). */
export interface ReferralOrder {
  patient: Patient;
  items: OrderedItems;
  medicare: MedicareCard | null;
  /** The ordering practitioner's notes, for a Medicare referral only; null for none. */
  clinicalNotes: string | null;
  referenceNumber: string;
  /** Non-clinical correlation only. */
  metadata: Record<string, string | number>;
  emailReferralToCustomer: boolean;
}

/**
 * The knowledge after a create call. `not_sent` and `rejected` mean that certainly nothing was created. `unknown`
 * means that the service may have created the referral, and only its list can tell.
 */
export type CreateOutcome =
  | { kind: "created"; referrals: ReferralSnapshot[] }
  | { kind: "rejected"; status: number; code: string; message: string; errorList: string[] }
  | { kind: "not_sent"; reason: string; retryable: boolean; retryAfterMs: number | null }
  /** `retryAfterMs`: when the service asked to come again. */
  | { kind: "unknown"; reason: string; retryAfterMs?: number | null };

/** A page of a list as it came. */
export interface ServicePage<T> {
  /** Where the next page seems to begin, told without reading this one; null when that is not plain to see. */
  likelyNext: string | null;
  /** Reads the page, and where the next one begins; null at the list's end. Throws as the call does. */
  read(): ReadPage<T>;
}

export interface ReadPage<T> {
  entries: T[];
  unreadable: UnreadableListed[];
  next: string | null;
  /** Whether more may follow that nobody can ask for. */
  isBrokenOff?: boolean;
}

/** A page of GET /v1/referrals. */
export interface ReferralPage extends ServicePage<ListedReferral> {
  /** All of one of its referrals. Throws ReferralServiceError `contract_mismatch` when the rest of it cannot be read. */
  whole(uuid: string): ReferralSnapshot;
}

/**
 * The Referral Ordering and Results Service, seen by one connection of one shop. Methods other than
 * `createReferral` throw ReferralServiceError (app/platform/errors.ts).
 */
export interface ReferralService {
  /**
   * POST /v1/referrals, sent at most once per call and never retried here (interface §4.2 rule 12).
   * `signal` aborts before the first byte leaves; the timeout is the adapter's (120 s).
   */
  createReferral(order: ReferralOrder, options: { deadlineAt: Date }): Promise<CreateOutcome>;
  /** GET /v1/referrals/{uuid}; null for REFERRAL_NOT_FOUND. */
  getReferral(uuid: string): Promise<ReferralSnapshot | null>;
  /** GET /v1/results/{uuid}; null for RESULT_NOT_FOUND. */
  getResult(uuid: string): Promise<ResultSnapshot | null>;
  /** GET /v1/referrals, newest first, page after page for as long as it is read (interface §4.7). */
  referralsNewestFirst(): AsyncIterable<ReferralSnapshot | UnreadableReferral>;
  /** GET /v1/results, newest first. */
  resultsNewestFirst(): AsyncIterable<ResultSnapshot>;
  /** One page of the same lists from a cursor on, null being the beginning. */
  referralPage(cursor: string | null): Promise<ReferralPage>;
  resultPage(cursor: string | null): Promise<ServicePage<ListedResult>>;
  /** PATCH /v1/referrals/{uuid} (CREATED or ISSUED only), not sent after the deadline. */
  updateReferral(
    uuid: string,
    change: Partial<Patient> & { metadata?: Record<string, string | null> },
    options?: { deadlineAt: Date },
  ): Promise<ReferralSnapshot>;
  /** DELETE /v1/referrals/{uuid} (soft), not sent after the deadline. */
  deleteReferral(uuid: string, options: { deadlineAt: Date }): Promise<ReferralSnapshot>;
  /**
   * PUT /v1/referrals/{uuid}: made-up results, in staging only (production answers 404). Doing it again makes
   * new ones.
   */
  makeUpResults(uuid: string): Promise<ReferralSnapshot>;
  /** GET /v1/tests, all test types in v1.1.0 and blood tests in v1.0.0. */
  listTests(apiVersion?: ApiVersion): Promise<ReadList<CatalogueTest>>;
  /** GET /v1/bundles, all pages. Always by v1.1.0: an organisation with v1.0.0 only is refused. */
  listBundles(): Promise<ReadList<CatalogueBundle>>;
}
