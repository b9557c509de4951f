import { z } from "zod";
import type { Patient } from "./patient.ts";

/** A patient as it lies sealed in a row, of whichever module. */
export const patientSchema: z.ZodType<Patient> = z.object({
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  phone: z.string(),
  dob: z.string(),
  gender: z.enum(["male", "female"]),
  address: z.object({
    addressLine1: z.string(),
    addressLine2: z.string().nullable(),
    city: z.string(),
    state: z.string(),
    postCode: z.string(),
    country: z.string(),
  }),
});
