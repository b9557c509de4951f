import type { SignedAddresses } from "../attachments/signed-address.ts";
import type { JsonObject } from "../json.ts";
import type {
  Address,
  OrderingPractitioner,
  Person,
  Referral,
  ReferralStatus,
} from "./referral.ts";

/** In some list responses addressLine2 and country are left out (interface §2.1). */
export type ListedAddress = Omit<Address, "addressLine2" | "country"> & Partial<Address>;

/** A referral on the wire: every field of interface §2.1, always. */
export interface ReferralView {
  uuid: string;
  status: ReferralStatus;
  object: "referral";
  tests: string[];
  metadata: JsonObject | null;
  productId: string | null;
  productName: string | null;
  origin: string;
  person: Omit<Person, "address"> & { address: ListedAddress };
  referralType: string;
  reference: string;
  referenceNumber: string;
  referralAttachment: string | null;
  emailSentAt: string | null;
  createdAt: string;
  updatedAt: string;
  deletedAt: string | null;
  resultsUuid: string | null;
  medicare: boolean;
  orderingPractitioner: OrderingPractitioner | null;
  medicareCardNumber: string | null;
  dvaNumber: string | null;
  orderingPractitionerClinicalNotes: string | null;
  routingMessage: string | null;
}

/** ISO 8601 with milliseconds, or null. */
export function isoTime(timeMs: number): string;
export function isoTime(timeMs: number | null): string | null;
export function isoTime(timeMs: number | null): string | null {
  return timeMs === null ? null : new Date(timeMs).toISOString();
}

/** Whether a form can be downloaded now: it exists, is not being regenerated, and is not deleted. */
export function hasForm(referral: Referral): boolean {
  return (
    referral.issueNumber > 0 &&
    referral.deletedAtMs === null &&
    referral.status !== "CREATED" &&
    referral.status !== "PENDING_VERIFICATION" &&
    referral.status !== "SCHEDULED_REISSUE"
  );
}

/** The wire form of a referral with a fresh attachment address; routingMessage is for Create only. */
export function viewReferral(
  referral: Referral,
  addresses: SignedAddresses,
  routingMessage: string | null = null,
): ReferralView {
  const { document } = referral;
  return {
    uuid: referral.uuid,
    status: referral.status,
    object: "referral",
    tests: document.tests,
    metadata: document.metadata,
    productId: document.productId,
    productName: document.productName,
    origin: document.origin,
    person: document.person,
    referralType: document.referralType,
    reference: document.reference,
    referenceNumber: referral.referenceNumber,
    referralAttachment: hasForm(referral)
      ? addresses.sign({ kind: "referral", uuid: referral.uuid, edition: referral.issueNumber })
      : null,
    emailSentAt: isoTime(referral.emailSentAtMs),
    createdAt: isoTime(referral.createdAtMs),
    updatedAt: isoTime(referral.updatedAtMs),
    deletedAt: isoTime(referral.deletedAtMs),
    resultsUuid: referral.resultsUuid,
    medicare: document.medicare !== null,
    orderingPractitioner: document.medicare?.orderingPractitioner ?? null,
    medicareCardNumber: document.medicare?.medicareCardNumber ?? null,
    dvaNumber: document.medicare?.dvaNumber ?? null,
    orderingPractitionerClinicalNotes: document.medicare?.clinicalNotes ?? null,
    routingMessage,
  };
}

/** The patient as lists show them: an address without a second line loses the optional fields. */
export function listedPerson(person: ReferralView["person"]): ReferralView["person"] {
  if (typeof person.address.addressLine2 === "string") return person;
  const { addressLine2: _second, country: _country, ...address } = person.address;
  return { ...person, address };
}
