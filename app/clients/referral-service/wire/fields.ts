import { z } from "zod";
import { readReferenceNumber } from "../../../modules/referrals/reference-number.ts";

/** Text that may be null or left out; null either way. */
export const optionalText = z
  .string()
  .nullish()
  .transform((value) => value ?? null);

/** Descriptive text that may be null or left out; empty either way. */
export const lenientText = z
  .string()
  .nullish()
  .transform((value) => value ?? "");

/** A number that may be null or left out; null either way. */
export const optionalNumber = z
  .number()
  .nullish()
  .transform((value) => value ?? null);

/** The first time that the database can store, with room to spare. */
const FIRST_MS = Date.parse("0001-01-01T00:00:00Z");
const LAST_MS = Date.parse("9999-12-31T23:59:59Z");

/** ISO 8601 text that really is a time: scans compare it, and NaN would compare false without a word. */
export const instant = z
  .string()
  .refine((value) => Date.parse(value) >= FIRST_MS && Date.parse(value) <= LAST_MS, {
    message: "not a time",
  });

/** A time that may be null, left out or empty; null each way. Another text says neither that there is one nor that there is none. */
export const optionalInstant = z
  .union([z.literal(""), instant])
  .nullish()
  .transform((value) => value || null);

/** An id that may be null, left out or empty; null each way. */
export const optionalUuid = z
  .union([z.literal(""), z.guid()])
  .nullish()
  .transform((value) => value?.toLowerCase() || null);

/** The id of a referral or result, as the database writes it: what is stored of it is sealed with that. */
export const ownUuid = z.string().min(1).toLowerCase();

/** Free key-value pairs (interface §4.8); null when absent. */
export const optionalMetadata = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform((value) => value ?? null);

/** A reference number that may be null or left out. One of ours reads as it was sent, whoever padded it meanwhile. */
export const optionalReferenceNumber = optionalText.transform((text) =>
  text === null ? null : (readReferenceNumber(text) ?? text),
);

/** Short visible ASCII: whatever else stands there is somebody else's, and may be too long for an index. */
const MAY_BE_OURS = /^[\x21-\x7e]{1,100}$/;

/** The fields of a list's entry that are compared (interface §4.2), whatever the entry is. */
export const listedFields = {
  uuid: z.guid().toLowerCase(),
  referenceNumber: optionalReferenceNumber.transform((text) =>
    text && MAY_BE_OURS.test(text) ? text : null,
  ),
  createdAt: instant,
  updatedAt: instant,
  deletedAt: optionalInstant,
};
