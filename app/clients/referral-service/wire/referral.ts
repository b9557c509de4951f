import { z } from "zod";
import type {
  ListedReferral,
  PersonSnapshot,
  ReferralSnapshot,
  UnreadableReferral,
} from "../../../modules/referrals/snapshots.ts";
import { isKnownStatus } from "../../../modules/referrals/status.ts";
import {
  attachmentUrl,
  dated,
  instant,
  lenientText,
  listedFields,
  optionalInstant,
  optionalMetadata,
  optionalReferenceNumber,
  optionalText,
  optionalUuid,
  ownUuid,
  sideText,
  times,
  unreadIn,
  yesOrNo,
} from "./fields.ts";
import { keepWhole } from "./keep-whole.ts";
import { mentionedIn } from "./mentioned-in.ts";
import { placesOf } from "./read-wire.ts";

const addressSchema = z.object({
  addressLine1: sideText,
  addressLine2: sideText,
  city: sideText,
  state: sideText,
  postCode: sideText,
  country: sideText,
});

const personSchema = z.object({
  firstName: lenientText,
  lastName: lenientText,
  email: sideText,
  phone: sideText,
  // Compared, and nothing else: in another form than text it says nothing.
  dob: sideText,
  gender: sideText,
  address: addressSchema.nullable().catch(null),
});

/** A status as the interface writes it (§3), in whatever letters it came. */
function asShown(status: string): string {
  const word = status
    .trim()
    .toUpperCase()
    .replace(/[\s-]+/g, "_");
  return isKnownStatus(word) ? word : status;
}

const NOBODY: PersonSnapshot = {
  firstName: "",
  lastName: "",
  email: null,
  phone: null,
  dob: null,
  gender: null,
  address: null,
};

/** Text, or an object of lines: the interface names the field and not its type (§2.1). */
const practitionerAddress = z
  .union([lenientText, z.record(z.string(), z.unknown())])
  .transform((address) =>
    typeof address === "string"
      ? address
      : Object.values(address)
          .filter((line) => typeof line === "string" && line !== "")
          .join(", "),
  );

/**
 * Interface §2.1. Required is what decides whose it is and whether it may be used: uuid, number, metadata, names, its deletion, and
 * whether it is a Medicare one. They may be missing where the interface lets them, and not be unreadable. All else that is missing or
 * cannot be read reads as null or empty, so that nobody waits for a form because of it. Statuses, origins and fields this version does
 * not know pass; one without a status has one that nobody knows, which an item tells.
 */
const read = z.object({
  uuid: ownUuid,
  status: optionalText.transform((status) => asShown(status || "UNKNOWN")).catch("UNKNOWN"),
  tests: z.array(z.union([z.string(), z.number().transform(String)])).catch([]),
  metadata: optionalMetadata,
  productId: sideText,
  productName: sideText,
  origin: optionalText.transform((origin) => origin ?? "UNKNOWN").catch("UNKNOWN"),
  person: personSchema.nullish().transform((person) => person ?? NOBODY),
  reference: lenientText.catch(""),
  referenceNumber: optionalReferenceNumber,
  referralAttachment: attachmentUrl,
  emailSentAt: sideText,
  ...times,
  deletedAt: optionalInstant,
  resultsUuid: optionalUuid,
  medicare: yesOrNo.nullish(),
  medicareCardNumber: z.unknown().optional(),
  orderingPractitioner: z
    .object({ name: lenientText, address: practitionerAddress, providerNumber: lenientText })
    .nullish()
    .transform((practitioner) => practitioner ?? null)
    // Nothing is decided by it: a practitioner in a shape of its own keeps no referral from being read.
    .catch(null),
  routingMessage: sideText,
});

/**
 * A referral that does not say whether it is a Medicare one is one when it has what only those have (§2.1). Taken for the commercial
 * one, it would leave the Medicare part missing, which is then sent again.
 */
const fields = read.transform(({ medicare, medicareCardNumber, ...referral }) => ({
  ...dated(referral),
  resultsUuid: referral.resultsUuid ?? null,
  unread: unreadIn(referral),
  medicare: medicare ?? (referral.orderingPractitioner !== null || Boolean(medicareCardNumber)),
  medicareCardNumber: sideText.parse(medicareCardNumber),
}));

export const referralSchema = keepWhole(fields) satisfies z.ZodType<ReferralSnapshot>;

/** The readable rest of a listed referral that cannot be read whole. Fields that do not fit are null or empty. */
const remains = z
  .object({
    uuid: z.string().toLowerCase().catch(""),
    createdAt: instant.nullable().catch(null),
    updatedAt: instant.nullable().catch(null),
  })
  .catch({ uuid: "", createdAt: null, updatedAt: null });

const holds = (text: string) => (value: string) =>
  value.toLowerCase().includes(text.toLowerCase()) ? value : null;

/** Each stored referral has a uuid: another text would make each look fail, and nobody would hear of it. */
const identified = z.object({ uuid: z.guid() });

/** An entry of a list that is searched. One entry that cannot be read never ends the search among the others. */
export const scannedReferralSchema = z
  .unknown()
  .transform((entry): ReferralSnapshot | UnreadableReferral => {
    const whole = referralSchema.safeParse(entry);
    const identity = identified.safeParse(entry);
    const error = whole.error ?? identity.error;
    if (whole.success && !error) return whole.data;
    const mentions = (text: string) => mentionedIn(entry, holds(text)) !== null;
    const field = error ? placesOf(error) : "";
    return { ...remains.parse(entry), isUnreadable: true, field, mentions };
  });

/** Tells a referral from other objects of a page. The interface does not show the page's key for every list. */
export const isReferral = (entry: Record<string, unknown>) => typeof entry.uuid === "string";

/**
 * A referral in a list that is compared with what is stored: nearly all of them are as they were, and reading each
 * of their fields would take longer than fetching them.
 */
export const listedReferralSchema = z
  .object(listedFields)
  .transform(dated) satisfies z.ZodType<ListedReferral>;

/** An answer whose uuid is none ends as one that got lost: nothing could be stored or fetched by it, and the list tells. */
const createdSchema = referralSchema.refine(({ uuid }) => identified.safeParse({ uuid }).success, {
  path: ["uuid"],
});

/** Answer to a create call: one referral, or an array of them when Medicare tests were ordered (interface §4.2 rule 7). */
export const createdReferralsSchema = z.union([
  createdSchema.transform((referral) => [referral]),
  z.array(createdSchema).min(1),
]) satisfies z.ZodType<ReferralSnapshot[]>;
