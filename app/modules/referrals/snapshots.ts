/**
 * The service's words on a thing, at the moment of a fetch. A snapshot replaces the stored one whole (interface §1.3:
 * a stored copy may be overwritten rather than merged).
 */

/** Referral statuses of interface §3. Anything else is kept as text and shown as unknown. */
export const REFERRAL_STATUSES = [
  "PENDING_VERIFICATION",
  "CREATED",
  "ISSUED",
  "SCHEDULED_REISSUE",
  "PARTIAL_RESULTS",
  "COMPLETE",
  "INSUFFICIENT_DATA",
  "REFUNDED",
  "FAILED_TEST",
  "BILLING_FAILED",
  "TRANSFERRED",
] as const;
export type ReferralStatus = (typeof REFERRAL_STATUSES)[number];

/** Patient as the service returns it: lists may omit parts of the address (interface §2.1). */
export interface PersonSnapshot {
  firstName: string;
  lastName: string;
  email: string | null;
  phone: string | null;
  dob: string | null;
  gender: string | null;
  address: {
    addressLine1: string | null;
    addressLine2: string | null;
    city: string | null;
    state: string | null;
    postCode: string | null;
    country: string | null;
  } | null;
}

/**
 * Everything that the service said, with the fields that this version does not know, and under `said` those that read otherwise than
 * they were said (interface §1.3, §9). It is stored sealed, and no page reads it. Absent in a snapshot that was read back.
 */
export type WholeAnswer = Record<string, unknown>;

/** A reading of a referral or result, by when it was made and changed. */
export interface Times {
  createdAt: string | null;
  /** Null where nobody can read it: what was asked for later is then the later truth (`isNewer`). */
  updatedAt: string | null;
  /** Its fields that were read as nothing, because nobody can read them. Left out of a snapshot that was read back. */
  unread?: string[];
}

/** Interface §2.1. Times are ISO 8601 strings. */
export interface ReferralSnapshot extends Times {
  uuid: string;
  /** One of REFERRAL_STATUSES, or a status this version does not know. */
  status: string;
  tests: string[];
  metadata: Record<string, unknown> | null;
  productId: string | null;
  productName: string | null;
  origin: string;
  person: PersonSnapshot;
  reference: string;
  referenceNumber: string | null;
  /** Time-limited: never stored for use, mailed or shown. */
  referralAttachment: string | null;
  emailSentAt: string | null;
  deletedAt: string | null;
  resultsUuid: string | null;
  medicare: boolean;
  /** As far as it is text; compared with the card that was ordered with. */
  medicareCardNumber?: string | null;
  orderingPractitioner: { name: string; address: string; providerNumber: string } | null;
  routingMessage: string | null;
  whole?: WholeAnswer;
}

/** A listed referral that cannot be read beyond this: the interface leaves more open than any reader foresees. */
export interface UnreadableReferral {
  isUnreadable: true;
  /** Empty when the entry does not even say that. */
  uuid: string;
  /** The places that did not fit. */
  field: string;
  /** Whether the text stands anywhere in the entry: one that has our number in whatever place may be ours. */
  mentions(text: string): boolean;
  createdAt: string | null;
  updatedAt: string | null;
}

/** An entry of a list is dated: another one cannot be compared, and is told as one that cannot be read. */
interface ListedTimes {
  createdAt: string;
  updatedAt: string;
}

/** A referral of the service's list, as far as it is compared with what is stored. */
export type ListedReferral = Pick<ReferralSnapshot, "uuid" | "referenceNumber" | "deletedAt"> &
  ListedTimes;

/** Interface §2.3, additionalRanges entry. null bound = open-ended. */
export interface AdditionalRange {
  id: string;
  name: string;
  category: string;
  lowRange: number | null;
  highRange: number | null;
}

/** Interface §2.3. */
export interface BiomarkerSnapshot {
  id: string;
  name: string;
  commonName: string;
  description: string;
  value: string;
  valueType: string;
  unit: string;
  formattedValue: string;
  isAbnormal: boolean;
  sampleType: string | null;
  notes: string | null;
  category: { id: string; name: string; description: string };
  refIntervalLow: number | null;
  refIntervalHigh: number | null;
  additionalRanges: AdditionalRange[];
}

/** A person as far as the one that the service names is compared with the one ordered for. */
export type NamedPerson = Pick<PersonSnapshot, "firstName" | "lastName" | "dob"> & {
  /** Only Medicare referrals have it. */
  medicareCardNumber?: string | null;
};

/** Interface §2.2. */
export interface ResultSnapshot extends Times {
  uuid: string;
  referralUuid: string;
  status: string;
  reference: string;
  referenceNumber: string | null;
  productId: string | null;
  productName: string | null;
  /** Time-limited: never stored for use, mailed or shown. */
  resultAttachment: string | null;
  deletedAt: string | null;
  resultDate: string | null;
  /** Whether the service says somebody reviewed it; its type is not shown (interface §2.7). */
  reviewed: boolean;
  /** Null when the service names nobody, and in a snapshot that was read back: it is compared when it is fetched. */
  person: NamedPerson | null;
  metadata: Record<string, unknown> | null;
  biomarkerSummary: { normal: number; abnormal: number; critical: number; total: number } | null;
  biomarkers: BiomarkerSnapshot[];
  whole?: WholeAnswer;
}

/** A result as it is stored: one of which nobody could read when it changed is dated all the same (`datesOf`). */
export type KeptResult = ResultSnapshot & { updatedAt: string };

/** A result of the service's list, as far as it is compared with what is stored. */
export type ListedResult = Pick<
  ResultSnapshot,
  "uuid" | "referralUuid" | "referenceNumber" | "deletedAt"
> &
  ListedTimes;

/** Interface §2.4. Prices are in cents. */
export interface CatalogueTest {
  id: string;
  name: string;
  shortName: string;
  priceCents: number;
  turnaround: { minimumDays: number | null; maximumDays: number | null } | null;
}

/** Interface §2.5. */
export interface CatalogueBundle {
  id: string;
  name: string;
  tests: { id: string; name: string }[];
}
