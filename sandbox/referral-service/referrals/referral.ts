import { z } from "zod";
import type { JsonObject } from "../json.ts";

/** Every referral status (interface §3). */
export const referralStatuses = [
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

export const referralStatus = z.enum(referralStatuses);
export type ReferralStatus = z.infer<typeof referralStatus>;

export interface Address {
  addressLine1: string;
  addressLine2: string | null;
  postCode: string;
  city: string;
  country: string;
  state: string;
}

/** The patient (interface §2.1 `person`). */
export interface Person {
  firstName: string;
  lastName: string;
  email: string;
  address: Address;
  phone: string;
  /** YYYY-MM-DD */
  dob: string;
  gender: "male" | "female";
}

export interface OrderingPractitioner {
  name: string;
  address: string | Address;
  providerNumber: string;
}

/** The Medicare half's own fields; null on a commercial referral. */
export interface MedicareOrder {
  orderingPractitioner: OrderingPractitioner;
  medicareCardNumber: string;
  dvaNumber: string | null;
  clinicalNotes: string | null;
}

/** The part of a referral that is only ever read and written whole. */
export interface ReferralDocument {
  reference: string;
  tests: string[];
  metadata: JsonObject | null;
  productId: string | null;
  productName: string | null;
  origin: string;
  person: Person;
  referralType: string;
  medicare: MedicareOrder | null;
}

/** A referral as stored. Times are milliseconds of the server's clock. */
export interface Referral {
  /** Order of creation; lists are sorted by it. */
  seq: number;
  uuid: string;
  organisationId: number;
  status: ReferralStatus;
  referenceNumber: string;
  createdAtMs: number;
  updatedAtMs: number;
  deletedAtMs: number | null;
  emailSentAtMs: number | null;
  /** Referrals with the same group are mailed together; null when nothing is to be mailed. */
  emailGroup: string | null;
  /** The number of the form's current edition; 0 while none exists. */
  issueNumber: number;
  resultsUuid: string | null;
  document: ReferralDocument;
}
