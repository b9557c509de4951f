import { z } from "zod";

/** Longest text of a single-line field; the interface names no limit. */
export const maxTextLength = 255;

/** A single-line text that says something. */
export const shortText = z
  .string()
  .max(maxTextLength)
  .refine((value) => value.trim() !== "", "must not be empty");

/** YYYY-MM-DD of a day that exists, and that somebody alive can be born on. */
export const dateOfBirth = z.iso
  .date("must be a date of the form YYYY-MM-DD")
  .refine((value) => value >= "1900-01-01", "must not be before 1900")
  .refine((value) => Date.parse(value) <= Date.now(), "must not be in the future");

export const gender = z.enum(["male", "female"], "must be male or female");

export const emailAddress = z
  .string()
  .max(maxTextLength)
  .regex(/^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/, "must be an email address");

/** The address of interface §4.2; addressLine2 may be absent or null and is kept as null. */
export const address = z
  .object({
    addressLine1: shortText,
    addressLine2: z.string().max(maxTextLength).nullish(),
    postCode: shortText,
    city: shortText,
    country: shortText,
    state: shortText,
  })
  .transform((value) => ({ ...value, addressLine2: value.addressLine2 ?? null }));
