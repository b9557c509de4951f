import { z } from "zod";
import { invalidPayload } from "../http/api-error.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import {
  address,
  dateOfBirth,
  emailAddress,
  gender,
  maxTextLength,
  shortText,
} from "./patient-fields.ts";

/** Longest free text; the interface names no limit. */
const maxNotesLength = 5000;

/** Most entries in one list of tests; the interface names no limit. */
const maxTests = 200;

export const metadataObject = z
  .custom<JsonObject>(isJsonObject, "must be an object")
  .meta({ type: "object", additionalProperties: true });

/**
 * The body of POST /v1/referrals (interface §4.2). Patient fields are required, since a form
 * without them could not be used; everything else is optional. Unknown fields are ignored. The
 * Medicare fields are only checked for Medicare orders, with codes of their own.
 */
export const createRequest = z.object({
  firstName: shortText,
  lastName: shortText,
  email: emailAddress,
  address,
  dob: dateOfBirth,
  gender,
  phone: shortText,
  tests: z.array(z.string()).max(maxTests).nullish(),
  bundleId: z.string().nullish(),
  medicareTests: z.array(z.string()).max(maxTests).nullish(),
  orderingPractitioner: z
    .unknown()
    .optional()
    .meta({
      type: "object",
      description: "All three are required when medicareTests is present",
      properties: {
        name: { type: "string" },
        address: { type: ["string", "object"] },
        providerNumber: { type: "string", minLength: 8, maxLength: 8 },
      },
    }),
  medicareCardNumber: z.unknown().optional().meta({
    type: "string",
    description: "Required when medicareTests is present",
    pattern: "^[2-6][0-9]{9}[0-9]?$",
  }),
  dvaNumber: z.string().max(maxTextLength).nullish(),
  clinicalNotes: z.string().max(maxNotesLength).nullish(),
  metadata: metadataObject.nullish(),
  reference: z.string().max(maxTextLength).nullish(),
  referenceNumber: z.string().max(maxTextLength).nullish(),
  emailReferralToCustomer: z.boolean().nullish(),
});

export type CreateRequest = z.infer<typeof createRequest>;

/** Parses a body with a schema; throws ApiError 400 INVALID_PAYLOAD that names every bad field. */
export function parsePayload<T>(schema: z.ZodType<T>, body: unknown): T {
  if (!isJsonObject(body)) throw invalidPayload("The body must be a JSON object");
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const errorList = parsed.error.issues.map((issue) =>
    issue.path.length > 0 ? `${issue.path.join(".")}: ${issue.message}` : issue.message,
  );
  throw invalidPayload("The payload is invalid", errorList);
}
