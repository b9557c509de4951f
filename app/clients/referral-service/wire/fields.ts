import { z } from "zod";
import { readReferenceNumber } from "../../../modules/referrals/reference-number.ts";
import { FIRST_MS, LAST_MS } from "../../../platform/storable.ts";
import { momentOf } from "../../../platform/written-time.ts";
import { parseJson } from "./json.ts";

/** Text, also where it came as a number: a post code has digits alone. */
export const text = z.union([z.string(), z.number().transform(String)]);

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

/** ISO 8601 with its offset, or a day: this stays as it was written. */
const AS_SHOWN = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d))?$/;

/** Days that languages and databases write where there is none: zeros, and the first or last day of a calendar. */
const NO_DAY = /^(?:0000-00-00|0001-01-01|1900-01-01|1970-01-01|9999-12-31)/;

/** A time in ISO 8601 (interface §4), whose odd forms are rewritten: scans compare it, and NaN would compare false without a word. */
export const instant = z.union([z.string(), z.number()]).transform((written, context) => {
  const moment = momentOf(written);
  const isNone = typeof written === "string" && NO_DAY.test(written.trim());
  if (isNone || !(moment >= FIRST_MS && moment <= LAST_MS)) {
    context.addIssue({ code: "custom", message: "not a time" });
    return z.NEVER;
  }
  const isAsShown = typeof written === "string" && AS_SHOWN.test(written);
  return isAsShown ? written : new Date(moment).toISOString();
});

/** A time of a referral or result; null where it is none. */
const mayBeUndated = instant.nullable().catch(null);

/** Times of a referral or result, whatever else it has. */
export const times = { createdAt: mayBeUndated, updatedAt: mayBeUndated };

/** See `times`. One whose creation is not dated was there when it changed last. */
export const dated = <T extends { createdAt: string | null; updatedAt: string | null }>(
  one: T,
): Omit<T, "createdAt"> & { createdAt: string | T["updatedAt"] } => ({
  ...one,
  createdAt: one.createdAt ?? one.updatedAt,
});

/** How databases and languages write that there is no time. */
const NO_TIME = z.union([z.literal(["", 0, false]), z.string().trim().regex(NO_DAY)]);

/** A time that may be null or left out; null each way. Another text says neither that there is one nor that there is none. */
export const optionalInstant = z
  .union([NO_TIME.transform(() => null), instant])
  .nullish()
  .transform((value) => value ?? null);

/** An id that may be null, left out or empty; null each way, and undefined where nothing could be asked for by what stands there. */
export const optionalUuid = z
  .union([z.literal(""), z.guid()])
  .nullish()
  .transform((value) => value?.toLowerCase() || null)
  .or(z.unknown().transform(() => undefined));

/** Text by which nothing is decided: in another form it says nothing, and keeps nobody from reading the rest. */
export const sideText = optionalText.catch(null);

/** Yes or no, also where it came as a word or a number. */
export const yesOrNo = z.union([
  z.boolean(),
  z.literal([0, 1]).transform((value) => value === 1),
  z.stringbool({ truthy: ["true", "1"], falsy: ["false", "0"] }),
]);

const link = z.union([
  z.string(),
  z.object({ url: z.string() }).transform(({ url }) => url),
  z.unknown().transform(() => ""),
]);

/**
 * The signed address of a PDF (interface §2.1); null without one. A list of addresses has one where the others are empty. With two, nobody knows
 * which to take, and none is taken: a PDF that does not come is told (documents/awaited-document.ts).
 */
export const attachmentUrl = z
  .unknown()
  .optional()
  .transform((said) => {
    const links = [said]
      .flat()
      .map((one) => link.parse(one))
      .filter((url) => url !== "");
    return new Set(links).size === 1 ? (links[0] ?? null) : null;
  });

/** The id of a referral or result, as the database writes it: what is stored of it is sealed with that. */
export const ownUuid = z.string().min(1).toLowerCase();

const pairs = z.record(z.string(), z.unknown());

/** An empty record, as some languages write it. */
const nothing = z.union([z.literal(""), z.tuple([])]).transform(() => null);

/** Free key-value pairs (interface §4.8), also where they came as JSON in a text; null when absent. Another form may name us, and is not read. */
export const optionalMetadata = z
  .union([
    pairs,
    nothing,
    z
      .string()
      .transform((text) => parseJson(text))
      .pipe(pairs),
  ])
  .nullish()
  .transform((value) => value ?? null);

/** A reference number that may be null or left out. One of ours reads as it was sent, whoever padded it meanwhile. */
export const optionalReferenceNumber = text
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
  createdAt: mayBeUndated,
  // An entry without a date cannot be compared.
  updatedAt: instant,
  deletedAt: optionalInstant,
};

/** The places of a referral or result that were read as nothing, because nobody can read them. Each stands with the connection. */
export const unreadIn = (one: {
  updatedAt: string | null;
  resultsUuid?: string | null | undefined;
}) => [
  ...(one.updatedAt === null ? ["updatedAt"] : []),
  ...("resultsUuid" in one && one.resultsUuid === undefined ? ["resultsUuid"] : []),
];
