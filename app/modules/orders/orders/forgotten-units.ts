import type { ReferralRequest } from "../../referrals/request.ts";
import type { Tenant } from "../tenant.ts";

/**
 * Lets units count as what staff cancelled that ended because their data was destroyed before anything was sent: nobody took
 * them back, and nothing is asked for in their place. Cancelled by nobody are also those that the store took back long ago.
 */
export async function countForgotten(
  tenant: Tenant,
  requests: ReferralRequest[],
): Promise<ReferralRequest[]> {
  const counted: ReferralRequest[] = [];
  for (const request of requests) {
    const { id, state, cancellation } = request;
    const isForgotten =
      state === "cancelled" && cancellation === null && (await tenant.requests.isRedacted(id));
    counted.push(isForgotten ? { ...request, cancellation: BY_STAFF } : request);
  }
  return counted;
}

const BY_STAFF = { requestedBy: "staff", status: "done" } as const;
