import { z } from "zod";
import type {
  BiomarkerSnapshot,
  ListedResult,
  ResultSnapshot,
} from "../../../modules/referrals/snapshots.ts";
import { dateOfResult } from "../../../platform/written-time.ts";
import {
  attachmentUrl,
  dated,
  lenientText,
  listedFields,
  optionalInstant,
  optionalMetadata,
  optionalNumber,
  optionalReferenceNumber,
  optionalText,
  ownUuid,
  sideText,
  text,
  times,
  unreadIn,
  whole,
  yesOrNo,
} from "./fields.ts";
import { keepWhole } from "./keep-whole.ts";

const rangeSchema = z.object({
  id: lenientText,
  name: lenientText,
  category: lenientText,
  lowRange: optionalNumber,
  highRange: optionalNumber,
});

const NO_CATEGORY = { id: "", name: "", description: "" };

/**
 * Interface §2.3. `isAbnormal` has no default: a missing flag must never read as "normal".
 */
const biomarkerSchema = z.object({
  id: text,
  // By its names, and those of its category, a test is found to be a sensitive one.
  name: z.string(),
  commonName: lenientText,
  description: lenientText.catch(""),
  value: z
    .union([z.string(), z.number()])
    .nullish()
    .transform((value) => (value == null ? "" : String(value))),
  valueType: lenientText,
  unit: lenientText,
  formattedValue: lenientText,
  isAbnormal: yesOrNo,
  sampleType: sideText,
  notes: optionalText,
  category: z
    .object({ id: lenientText, name: lenientText, description: lenientText })
    .nullish()
    .transform((category) => category ?? NO_CATEGORY),
  refIntervalLow: optionalNumber,
  refIntervalHigh: optionalNumber,
  additionalRanges: z
    .array(rangeSchema)
    .nullish()
    .transform((ranges) => ranges ?? []),
}) satisfies z.ZodType<BiomarkerSnapshot>;

/** Tells a result from other objects of a page, whose key the interface does not show (§4.3). */
export const isResult = (entry: Record<string, unknown>) => typeof entry.referralUuid === "string";

/** The referral that a result is looked up by: another text would make each look fail, and a walk through the list with it. */
const referralUuid = z.guid().toLowerCase();

/** Interface §2.2. Statuses are kept as text: only COMPLETE is shown there. */
const fields = z
  .object({
    uuid: ownUuid,
    referralUuid,
    status: z
      .string()
      .min(1)
      .transform((status) => (/^complete$/i.test(status.trim()) ? "COMPLETE" : status)),
    reference: lenientText.catch(""),
    referenceNumber: optionalReferenceNumber,
    productId: sideText,
    productName: optionalText,
    resultAttachment: attachmentUrl,
    ...times,
    deletedAt: optionalInstant,
    // Only shown, and nothing is decided by it: one that cannot be read keeps no result from its patient.
    // Other forms of a date name day and month in either order.
    resultDate: z
      .union([z.string(), z.number()])
      .nullish()
      .catch(null)
      .transform((date) => (date ? dateOfResult(date) : null)),
    reviewedBy: z.unknown(),
    person: z
      .object({ firstName: lenientText, lastName: lenientText, dob: sideText })
      .nullish()
      .transform((person) => person ?? null),
    metadata: optionalMetadata,
    biomarkerSummary: z
      .object({ normal: whole, abnormal: whole, critical: whole, total: whole })
      .nullish()
      .transform((summary) => summary ?? null),
    biomarkers: z
      .array(biomarkerSchema)
      .nullish()
      .transform((biomarkers) => biomarkers ?? []),
  })
  .transform(({ reviewedBy, ...result }) => ({
    ...dated(result),
    unread: unreadIn(result),
    reviewed: reviewedBy !== null && reviewedBy !== undefined,
  }));

export const resultSchema = keepWhole(fields) satisfies z.ZodType<ResultSnapshot>;

/**
 * A result in a list that is compared with what is stored. One whose figures nobody can read must not keep the others
 * from being compared: its own refetch says what is wrong with it.
 */
export const listedResultSchema = z
  .object({ ...listedFields, referralUuid })
  .transform(dated) satisfies z.ZodType<ListedResult>;
