import { type EarlierResult, earlierResults } from "../access/result-history.ts";
import { ownerIdentity } from "../access/viewer.ts";
import type { ReferralRequest } from "../referrals/request.ts";
import type { KeptResult } from "../referrals/snapshots.ts";
import type { Tenant } from "./tenant.ts";

/** Earlier results of the patient of a request, beside one of its results: the same that the patient's own trend has. */
export async function earlierBeside(
  tenant: Tenant,
  request: ReferralRequest,
  { snapshot, timeZone }: { snapshot: KeptResult; timeZone: string },
): Promise<EarlierResult[]> {
  const before = snapshot.resultDate ?? snapshot.updatedAt;
  const beside = { request, resultId: snapshot.uuid, before, timeZone };
  return earlierResults(tenant, ownerIdentity(request), beside);
}

/** Returns the results of a request that may be shown to staff: none that was deleted, or names another person. */
export async function resultsForStaff(tenant: Tenant, request: ReferralRequest) {
  if (request.resultsHiddenAt) return [];
  const stored = await tenant.results.forRequests([request.id]);
  return stored.filter(({ deletedAt, otherPerson }) => deletedAt === null && !otherPerson);
}
