import type { Tenant } from "../tenant.ts";

/** What one look asks for at most; the rest has its turn at the next. */
const AT_ONCE = 200;

/**
 * Asks again for what is known to exist at the service and whose PDF is not here: the event that told of it came while
 * the app was taken off, or nobody could be asked. A result may be without a PDF for good, and so may a referral that is
 * not issued any more: a regular look leaves out those that were asked for lately. Returns for how much it asked.
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
  return missing.length;
}
