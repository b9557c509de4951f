import type { Environment } from "../../shops/connection.ts";
import type { Tenant } from "../tenant.ts";

/** By how much our clock may be ahead of a service's of which nothing is known yet. */
const UNKNOWN_CLOCK_MS = 24 * 3_600_000;

/**
 * From when on the service's list has to be searched for a referral that is about to be ordered, should its answer get
 * lost. Told by the service's clock: what is known of it already was there before. By ours, were it hours ahead, the
 * search would end before it began, and a referral that exists would be ordered again.
 */
export async function recoveryLowerBound(
  tenant: Tenant,
  environment: Environment,
  now: Date,
): Promise<Date> {
  const known = await tenant.referrals.newestCreation(environment);
  const before = known ?? new Date(now.getTime() - UNKNOWN_CLOCK_MS);
  return before < now ? before : now;
}
