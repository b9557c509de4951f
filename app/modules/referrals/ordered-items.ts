import { z } from "zod";
import type { OrderedItems, Practitioner } from "./referral-service.ts";

/** A practitioner as a row keeps them. */
export const practitionerSchema = z.object({
  name: z.string(),
  address: z.string(),
  providerNumber: z.string(),
}) satisfies z.ZodType<Practitioner>;

/** What a mapping or a request orders, as rows and batches keep it as JSON. */
export const orderedItemsSchema = z.object({
  bundleId: z.string().nullable(),
  tests: z.array(z.string()),
  medicareTests: z.array(z.string()),
  practitioner: practitionerSchema.nullable(),
}) satisfies z.ZodType<OrderedItems>;
