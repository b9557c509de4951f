import type { Environment } from "../shops/connection.ts";
import type { Tenant } from "./tenant.ts";

/** The most that one look asks for. The rest has its turn at the next look. */
const AT_ONCE = 200;

/**
 * Asks again for documents and results that the service is known to have and that are not here. Their event came while the
 * app was taken off, nobody could be asked, or the service did not give them. A result may be without a PDF for good, and
 * so may a referral that is not issued any more: a regular look leaves out those that were asked for lately. Returns for
 * how much it asked.
 */
export async function refetchMissing(
  tenant: Tenant,
  askedBefore: Date | null = null,
): Promise<number> {
  const { shop } = tenant;
  const missing = await tenant.documents.missing(AT_ONCE, askedBefore);
  for (const { kind, environment, uuid } of missing) {
    const name = kind === "referral" ? "refetch-referral" : "refetch-result";
    await tenant.jobs.enqueue({ name, shop, environment, uuid });
  }
  // Each brings its result, and whoever was asked longest ago is asked first.
  const reported = await tenant.referrals.withoutTheirResult(AT_ONCE);
  for (const { environment, uuid } of reported)
    await tenant.jobs.enqueue({ name: "refetch-referral", shop, environment, uuid });
  return missing.length + reported.length;
}

/** The most referrals of a former client that one look asks for. */
const FORMER_AT_ONCE = 1_000;

/**
 * Asks for what was ordered with another client's credentials and may still change. The service shows the referrals of one
 * organisation only: those of another are in no list and told by no event, so nobody would hear that their news fails to
 * come. Each is found, or its request becomes an item in the inbox.
 */
export async function refetchOfFormerClient(
  tenant: Tenant,
  environment: Environment,
  { clientSince, isToldToo = false }: { clientSince: Date; isToldToo?: boolean },
): Promise<void> {
  const which = { isToldToo, limit: FORMER_AT_ONCE };
  const uuids = await tenant.serviceSync.openReadBefore(environment, clientSince, which);
  for (const uuid of uuids)
    await tenant.jobs.enqueue({ name: "refetch-referral", shop: tenant.shop, environment, uuid });
}
