import { type CancellationPreview, previewCancellation } from "../referrals/cancel-request.ts";
import type { ReferralRequest } from "../referrals/request.ts";
import type { Tenant } from "./tenant.ts";

/** Reads what deleting the data of a test would do to the test. */
export async function effectOn(
  tenant: Pick<Tenant, "referrals" | "results">,
  request: ReferralRequest,
): Promise<CancellationPreview> {
  const referrals = await tenant.referrals.forRequests([request.id]);
  const results = await tenant.results.forRequests([request.id]);
  return previewCancellation({ request, referrals, results });
}

/**
 * Names whose data of a test is held, and what deleting it does: another text once it was handed over, its details were given or
 * deleted, or it was ordered or has results.
 */
export const dataVersion = (
  { owner, hasPatient, consentAt, invitedAt, acceptedAt }: ReferralRequest,
  effect: CancellationPreview,
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
