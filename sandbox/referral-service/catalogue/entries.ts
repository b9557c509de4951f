import { z } from "zod";

export const category = z.strictObject({
  id: z.string(),
  name: z.string(),
  description: z.string(),
});
export const provider = z.strictObject({ id: z.string(), name: z.string() });

/** [minimumDays, maximumDays]; null where the provider does not say. */
const turnaround = z.tuple([z.number().int().nullable(), z.number().int().nullable()]);

export const test = z.strictObject({
  id: z.string(),
  name: z.string(),
  shortName: z.string(),
  priceCents: z.number().int().positive(),
  /** Only `blood` tests are pathology in the sense of interface §4.2 rule 10. */
  type: z.enum(["blood", "urine", "stool", "swab", "saliva", "breath", "hair"]),
  /** The sample that the collection centre takes, as printed on the form. */
  specimen: z.string(),
  /** The patient's preparation before collection. */
  preparation: z.string().optional(),
  biomarkers: z.array(z.string()).min(1),
  /** By provider id. */
  turnaroundDays: z.record(z.string(), turnaround),
});

export const bundle = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  createdAt: z.iso.datetime(),
  tests: z.array(z.string()).min(1),
});

/** [low, high]; null is an open end. */
const interval = z.tuple([z.number().nullable(), z.number().nullable()]);

/** [low, high], both known. */
const span = z.tuple([z.number(), z.number()]);

const additionalRange = z.strictObject({
  id: z.string(),
  name: z.string(),
  category: z.string(),
  range: interval,
});

const shared = {
  id: z.string(),
  name: z.string(),
  commonName: z.string(),
  description: z.string(),
  category: z.string(),
  sampleType: z.string().nullable(),
  notes: z.string().optional(),
  /** Measured for this sex only. */
  onlyFor: z.enum(["male", "female"]).optional(),
};

export const numericBiomarker = z.strictObject({
  ...shared,
  valueType: z.literal("numeric"),
  unit: z.string(),
  decimals: z.number().int().min(0).max(4),
  /** One interval for adults, or one per sex; null when only additional ranges apply. */
  range: interval.or(z.strictObject({ male: interval.nullable(), female: interval.nullable() })),
  /** The values that occur in practice; generation stays inside. */
  plausible: span,
  /** The range of most healthy adults; narrows an interval and closes an open one. */
  typical: span.or(z.strictObject({ male: span, female: span })).optional(),
  /** Limits at which a laboratory telephones. */
  critical: interval.optional(),
  additionalRanges: z.array(additionalRange).optional(),
  /** Additional ranges are printed for one sex only. */
  additionalRangesFor: z.enum(["male", "female"]).optional(),
});

const stringBiomarker = z.strictObject({
  ...shared,
  valueType: z.literal("string"),
  normalValues: z.array(z.string()).min(1),
  /** Empty when no value is abnormal by itself, as for a blood group. */
  abnormalValues: z.array(z.string()),
});

export const biomarker = z.discriminatedUnion("valueType", [numericBiomarker, stringBiomarker]);

export type Category = z.infer<typeof category>;
export type Provider = z.infer<typeof provider>;
export type CatalogueTest = z.infer<typeof test>;
export type Bundle = z.infer<typeof bundle>;
export type NumericBiomarker = z.infer<typeof numericBiomarker>;
export type Biomarker = z.infer<typeof biomarker>;
export type Interval = z.infer<typeof interval>;
