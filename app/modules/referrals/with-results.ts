import { together } from "../../platform/together.ts";
import type { StoredReferral } from "./referral-repository.ts";
import type { ReferralRequest } from "./request.ts";
import { isPastForm } from "./status.ts";
import type { Tenant } from "./tenant.ts";

/** Whether the laboratory has reported anything on it (interface §3). */
export function isReported({ resultUuid, status }: Pick<StoredReferral, "resultUuid" | "status">) {
  return resultUuid !== null || isPastForm({ status });
}

/** Whether a request has results, as far as is known here. */
export async function hasResults(tenant: Tenant, requestId: string): Promise<boolean> {
  const referrals = await tenant.referrals.forRequests([requestId]);
  if (referrals.some(isReported)) return true;
  return (await tenant.results.forRequests([requestId])).length > 0;
}

/** The ids of those requests that have results, as far as is known here. */
export async function withResults(
  tenant: Tenant,
  requests: ReferralRequest[],
): Promise<ReadonlySet<string>> {
  const ids = requests.filter(({ state }) => state === "created").map(({ id }) => id);
  if (ids.length === 0) return new Set();
  const [referrals, results] = await together(
    () => tenant.referrals.forRequests(ids),
    () => tenant.results.forRequests(ids),
  );
  return new Set([...referrals.filter(isReported), ...results].map(({ requestId }) => requestId));
}
