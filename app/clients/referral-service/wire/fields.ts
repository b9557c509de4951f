import { z } from "zod";
import { readReferenceNumber } from "../../../modules/referrals/reference-number.ts";
import { momentOf } from "../../../platform/written-time.ts";

/** Text, also where it came as a number: a post code has digits alone. */
const text = z.union([z.string(), z.number().transform(String)]);

/** Text that may be null or left out; null either way. */
export const optionalText = text.nullish().transform((value) => value ?? null);

/** Descriptive text that may be null or left out; empty either way. */
export const lenientText = text.nullish().transform((value) => value ?? "");

/** A number, also where it came as text. Nothing is made of "<5". */
const number = z.union([
  z.number(),
  z
    .string()
    .regex(/^-?\d+(?:\.\d+)?$/)
    .transform(Number),
]);

/** A whole number, also where it came as text. */
export const whole = number.pipe(z.int());

/** A number that may be null, left out or empty; null each way. */
export const optionalNumber = z
  .union([z.literal("").transform(() => null), number])
  .nullish()
  .transform((value) => value ?? null);

/** The first time that the database can store, with room to spare. */
const FIRST_MS = Date.parse("0001-01-01T00:00:00Z");
const LAST_MS = Date.parse("9999-12-31T23:59:59Z");

/** ISO 8601 with its offset, or a day: this stays as it was written. */
const AS_SHOWN = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d))?$/;

/** A time in ISO 8601 (interface §4), whose odd forms are rewritten: scans compare it, and NaN would compare false without a word. */
export const instant = z.union([z.string(), z.number()]).transform((written, context) => {
  const moment = momentOf(written);
  if (!(moment >= FIRST_MS && moment <= LAST_MS)) {
    context.addIssue({ code: "custom", message: "not a time" });
    return z.NEVER;
  }
  const isAsShown = typeof written === "string" && AS_SHOWN.test(written);
  return isAsShown ? written : new Date(moment).toISOString();
});

/** Times of a referral or result, whatever else it has. One whose creation is not dated was there when it changed last. */
export const times = { createdAt: instant.nullable().catch(null), updatedAt: instant };

/** See `times`. */
export const dated = <T extends { createdAt: string | null; updatedAt: string }>(one: T) => ({
  ...one,
  createdAt: one.createdAt ?? one.updatedAt,
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
export const optionalReferenceNumber = z
  .string()
  .nullish()
  .transform((text) => (text == null ? null : (readReferenceNumber(text) ?? text)));

/** Short visible ASCII: whatever else stands there is somebody else's, and may be too long for an index. */
const MAY_BE_OURS = /^[\x21-\x7e]{1,100}$/;

/** The fields of a list's entry that are compared (interface §4.2), whatever the entry is. */
export const listedFields = {
  uuid: z.guid().toLowerCase(),
  referenceNumber: optionalReferenceNumber.transform((text) =>
    text && MAY_BE_OURS.test(text) ? text : null,
  ),
  ...times,
  deletedAt: optionalInstant,
};
