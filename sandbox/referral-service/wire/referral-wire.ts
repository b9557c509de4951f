import { z } from "zod";
import { referralStatus } from "../referrals/referral.ts";
import { cursor, metadata, timestamp, url, uuid } from "./common.ts";

const addressFields = {
  addressLine1: z.string(),
  addressLine2: z.string().nullable(),
  postCode: z.string(),
  city: z.string(),
  country: z.string(),
  state: z.string(),
};

const address = z.strictObject(addressFields).meta({ id: "Address" });

/** Some list responses have an address like this (interface §2.1). */
const listedAddress = z
  .strictObject(addressFields)
  .partial({ addressLine2: true, country: true })
  .meta({ id: "ListedAddress" });

const personFields = {
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  phone: z.string(),
  dob: z.iso.date(),
  gender: z.enum(["male", "female"]),
};

export const person = z.strictObject({ ...personFields, address }).meta({ id: "Person" });
export const listedPerson = z
  .strictObject({ ...personFields, address: listedAddress })
  .meta({ id: "ListedPerson" });

export const origin = z.enum([
  "CONSUMER_WEBSITE",
  "BUNDLE_PURCHASE",
  "API",
  "STORE_INTEGRATION",
  "UNKNOWN",
]);

const referralFields = {
  uuid,
  status: referralStatus,
  object: z.literal("referral"),
  tests: z.array(z.string()),
  metadata,
  productId: z.string().nullable(),
  productName: z.string().nullable(),
  origin,
  referralType: z.string(),
  reference: z.string().regex(/^\d{8}$/),
  referenceNumber: z.string(),
  referralAttachment: url.nullable(),
  emailSentAt: timestamp.nullable(),
  createdAt: timestamp,
  updatedAt: timestamp,
  deletedAt: timestamp.nullable(),
  resultsUuid: uuid.nullable(),
  medicare: z.boolean(),
  orderingPractitioner: z
    .strictObject({
      name: z.string(),
      address: z.union([z.string(), address]),
      providerNumber: z.string().length(8),
    })
    .nullable(),
  medicareCardNumber: z.string().nullable(),
  dvaNumber: z.string().nullable(),
  orderingPractitionerClinicalNotes: z.string().nullable(),
  routingMessage: z.string().nullable(),
};

/** Interface §2.1, exactly. */
export const referral = z.strictObject({ ...referralFields, person }).meta({ id: "Referral" });

/** The answer to create: one referral, or a list for an order with Medicare tests. */
export const createdReferral = z.union([referral, z.array(referral).min(1).max(2)]);

export const referralList = z
  .strictObject({
    cursor,
    referrals: z.array(z.strictObject({ ...referralFields, person: listedPerson })).max(20),
  })
  .meta({ id: "ReferralList" });
