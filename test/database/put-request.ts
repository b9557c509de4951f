import type { ReferralRequest } from "../../app/modules/referrals/request.ts";
import type { RequestChange } from "../../app/modules/referrals/request-repository.ts";
import { standingOf } from "../../app/modules/referrals/standing.ts";
import type { Tenant } from "../../app/modules/referrals/tenant.ts";

/** Puts a request into a state, as if everything had happened that leads there. */
export async function putRequest(
  { requests, referrals, results }: Pick<Tenant, "requests" | "referrals" | "results">,
  id: string,
  change: RequestChange & { state?: ReferralRequest["state"] } = {},
): Promise<ReferralRequest> {
  const before = await requests.findForUpdate(id);
  if (!before) throw new Error(`There is no request ${id}`);
  const request = { ...before, ...change };
  const standing = standingOf({
    request,
    referrals: await referrals.forRequests([id]),
    results: await results.forRequests([id]),
  });
  return requests.write(id, { ...change, state: request.state, ...standing });
}
