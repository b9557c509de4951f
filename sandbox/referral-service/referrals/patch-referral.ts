import { z } from "zod";
import type { Core } from "../core.ts";
import { invalidParameter } from "../http/api-error.ts";
import { type JsonObject, plainObject } from "../json.ts";
import { moveReferral } from "./change-referral.ts";
import { metadataObject, parsePayload } from "./create-request.ts";
import {
  address,
  dateOfBirth,
  emailAddress,
  gender,
  maxTextLength,
  shortText,
} from "./patient-fields.ts";
import type { Referral } from "./referral.ts";

const name = shortText.refine(
  (value) => value.trim().length >= 2,
  "must have at least 2 characters",
);

/** The body of PATCH /v1/referrals/{uuid} (interface §4.2). */
export const patchRequest = z.object({
  firstName: name.optional(),
  lastName: name.optional(),
  email: emailAddress.optional(),
  dob: dateOfBirth.optional(),
  gender: gender.optional(),
  phone: z.string().min(6, "must have at least 6 characters").max(maxTextLength).optional(),
  address: address.optional(),
  metadata: metadataObject.optional(),
});

/** Merges metadata: given keys win, a key set to null is removed. */
function mergeMetadata(old: JsonObject | null, change: JsonObject | undefined): JsonObject | null {
  if (change === undefined) return old;
  const merged = new Map([...Object.entries(old ?? {}), ...Object.entries(change)]);
  return plainObject(
    [...merged].filter(([key, value]) => !(value === null && Object.hasOwn(change, key))),
  );
}

/**
 * Updates patient details and metadata and asks for a new form (interface §4.2 PATCH).
 *
 * Throws ApiError 400: INVALID_PAYLOAD for a bad field, INVALID_PARAMETER when the referral is
 * deleted or neither CREATED nor ISSUED.
 */
export function patchReferral(core: Core, referral: Referral, body: unknown): Referral {
  const { metadata, ...details } = parsePayload(patchRequest, body);
  if (referral.deletedAtMs !== null) throw invalidParameter("The referral is deleted");
  if (referral.status !== "CREATED" && referral.status !== "ISSUED") {
    throw invalidParameter(
      `Only CREATED or ISSUED referrals can be updated; this one is ${referral.status}`,
    );
  }
  const { document } = referral;
  const given = Object.fromEntries(
    Object.entries(details).filter(([, value]) => value !== undefined),
  );
  const changed = {
    ...referral,
    document: {
      ...document,
      person: { ...document.person, ...given },
      metadata: mergeMetadata(document.metadata, metadata),
    },
  };
  return core.stores.database.transaction(() => moveReferral(core, changed, "SCHEDULED_REISSUE"));
}
