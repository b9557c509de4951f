import type { Tenant } from "../tenant.ts";

/** What one look asks for at most; the rest has its turn at the next. */
const AT_ONCE = 200;

/**
 * Asks again for what is known to exist at the service and whose PDF is not here: the event that told of it came while
 * the app was taken off, or nobody could be asked. Returns for how much.
 */
export async function refetchMissing(tenant: Tenant): Promise<number> {
  const { shop } = tenant;
  const missing = await tenant.documents.missing(AT_ONCE);
  for (const { kind, environment, uuid } of missing) {
    const name = kind === "referral" ? "refetch-referral" : "refetch-result";
    await tenant.jobs.enqueue({ name, shop, environment, uuid });
  }
  return missing.length;
}
