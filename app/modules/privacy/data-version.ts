import { CANCELLATION_PREVIEWS, previewCancellation } from "../referrals/cancel-request.ts";
import type { ReferralRequest } from "../referrals/request.ts";
import type { Tenant } from "./tenant.ts";

export const ERASURE_EFFECTS = [
  ...CANCELLATION_PREVIEWS,
  /** It has a result that its patient was never shown, which goes with the rest. */
  "unseen_results",
] as const;
export type ErasureEffect = (typeof ERASURE_EFFECTS)[number];

/** Reads what deleting the data of a test would do to the test. The laboratory may have reported, and no result be here yet. */
export async function effectOn(
  tenant: Pick<Tenant, "referrals" | "results">,
  request: ReferralRequest,
): Promise<ErasureEffect> {
  const referrals = await tenant.referrals.forRequests([request.id]);
  const results = await tenant.results.forRequests([request.id]);
  const effect = previewCancellation({ request, referrals, results });
  const isUnseen = results.some(({ releasedAt, deletedAt }) => !releasedAt && !deletedAt);
  return effect === "has_results" && (isUnseen || results.length === 0) ? "unseen_results" : effect;
}

/**
 * Names whose data of a test is held, and what deleting it does: another text once it was handed over, its details were given or
 * deleted, or it was ordered or has results.
 */
export const dataVersion = (
  { owner, hasPatient, consentAt, invitedAt, acceptedAt }: ReferralRequest,
  effect: ErasureEffect,
): string =>
  [
    ...[owner, hasPatient, effect],
    ...[consentAt, invitedAt, acceptedAt].map((at) => at?.getTime() ?? ""),
  ].join(" ");

/** Whether a test holds other data than the page showed (`seen`); false when nobody says what it showed. */
export async function holdsElse(
  tenant: Pick<Tenant, "referrals" | "results">,
  request: ReferralRequest,
  seen: string | null,
): Promise<boolean> {
  return seen !== null && seen !== dataVersion(request, await effectOn(tenant, request));
}
