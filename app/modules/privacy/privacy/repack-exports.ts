import type { CustomerId, OrderId } from "../../kernel/ids.ts";
import type { Tenant } from "../tenant.ts";

/**
 * Destroys the data exports that hold a copy of these requests and orders, or of what these customers keep, whatever else is in
 * them, and has them packed anew without what is gone. To be called before the rows are erased: they say whose they were.
 */
export async function repackExports(
  tenant: Tenant,
  of: { requestIds: string[]; orderIds: OrderId[]; customerIds?: CustomerId[] },
): Promise<void> {
  for (const inboxId of await tenant.redaction.reopenExports(of))
    await tenant.jobs.enqueue({ name: "do-privacy-request", shop: tenant.shop, inboxId });
}
