import type { ReferralRequest } from "../../modules/referrals/request.ts";

type Slot = Pick<
  ReferralRequest,
  "state" | "hasPatient" | "consentAt" | "owner" | "invitedAt" | "acceptedAt"
>;

/**
 * Says what staff may know of a unit's patient: that there are details, since when, and from whom. Never what they
 * say. Null when the unit's own state says it already.
 */
export function describePatient({
  state,
  hasPatient,
  consentAt,
  owner,
  invitedAt,
  acceptedAt,
}: Slot): { text: string; at: string | null; note: string | null } | null {
  const isPatients = owner === "patient";
  if (hasPatient)
    return {
      text: isPatients ? "Details given by the patient" : "Details given by the buyer",
      at: consentAt?.toISOString() ?? null,
      note: consentAt ? "Consent recorded" : null,
    };
  // Cancelled before there were any, or destroyed when their time was over.
  if (state !== "awaiting_details") return { text: "No details are kept", at: null, note: null };
  if (!isPatients) return null;
  return {
    text: "The patient was invited",
    at: invitedAt?.toISOString() ?? null,
    note: acceptedAt
      ? "The patient opened the link and hasn’t given the details yet"
      : "The patient hasn’t opened the link yet",
  };
}
