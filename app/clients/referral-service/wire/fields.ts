import { z } from "zod";

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

/** ISO 8601 text that really is a time: scans compare it, and NaN would compare false without a word. */
export const instant = z
  .string()
  .refine((value) => !Number.isNaN(Date.parse(value)), { message: "not a time" });

/** Free key-value pairs (interface §4.8); null when absent. */
export const optionalMetadata = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform((value) => value ?? null);

/** What is compared of every entry of a list (interface §4.2), whatever it is of. */
export const listedFields = {
  uuid: z.string().min(1),
  referenceNumber: optionalText,
  createdAt: instant,
  updatedAt: instant,
  deletedAt: optionalText,
};
