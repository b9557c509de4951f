import type { ShopDomain } from "../kernel/ids.ts";
import type { Ports } from "./ports.ts";

/** Orders for each transaction, so that none takes long. */
const AT_ONCE = 200;

/**
 * Makes orders findable that were stored before their words were kept, some at a time; asks for the next ones to be done
 * until none is left. Each order says for itself whether it was done, so that nothing is lost on the way.
 */
export async function indexOrders(
  { tenancy }: Pick<Ports, "tenancy">,
  { shop }: { shop: ShopDomain },
): Promise<void> {
  await tenancy.inShop(shop, async (tenant) => {
    const done = await tenant.orders.indexSome(AT_ONCE);
    if (done > 0) await tenant.jobs.enqueue({ name: "index-orders", shop });
  });
}
