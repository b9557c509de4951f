import { z } from "zod";
import { cursor, metadata, timestamp, url, uuid } from "./common.ts";
import { listedPerson, origin, person } from "./referral-wire.ts";

const category = z.strictObject({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  object: z.literal("biomarker-category"),
});

const additionalRange = z.strictObject({
  id: z.string(),
  name: z.string(),
  category: z.string(),
  lowRange: z.number().nullable(),
  highRange: z.number().nullable(),
});

/** Interface §2.3, exactly. */
const biomarker = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    object: z.literal("biomarker"),
    commonName: z.string(),
    description: z.string(),
    value: z.string(),
    valueType: z.enum(["numeric", "string"]),
    subValueType: z.null(),
    unit: z.string(),
    formattedValue: z.string(),
    isAbnormal: z.boolean(),
    sampleType: z.string().nullable(),
    notes: z.string().nullable(),
    category,
    refIntervalLow: z.number().nullable(),
    refIntervalHigh: z.number().nullable(),
    additionalRanges: z.array(additionalRange).min(1).nullable(),
  })
  .meta({ id: "Biomarker" });

const resultFields = {
  uuid,
  referralUuid: uuid,
  status: z.enum(["COMPLETE", "PARTIAL_RESULTS", "IN_REVIEW"]),
  object: z.literal("result"),
  reference: z.string().regex(/^\d{8}$/),
  referenceNumber: z.string(),
  productId: z.string().nullable(),
  productName: z.string().nullable(),
  origin: origin.nullable(),
  resultAttachment: url.nullable(),
  createdAt: timestamp,
  updatedAt: timestamp,
  deletedAt: timestamp.nullable(),
  resultDate: timestamp,
  reviewedBy: z.string().nullable(),
  metadata,
  biomarkerSummary: z
    .strictObject({
      normal: z.int().min(0),
      abnormal: z.int().min(0),
      critical: z.int().min(0),
      total: z.int().min(0),
    })
    .nullable(),
  biomarkers: z.array(biomarker),
};

/** Interface §2.2, exactly. */
export const result = z.strictObject({ ...resultFields, person }).meta({ id: "Result" });

export const resultList = z
  .strictObject({
    cursor,
    results: z.array(z.strictObject({ ...resultFields, person: listedPerson })).max(20),
  })
  .meta({ id: "ResultList" });
