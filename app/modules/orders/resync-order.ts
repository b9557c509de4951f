import type { OrderId, ShopDomain } from "../kernel/ids.ts";
import type { Ports } from "./ports.ts";

export type ResyncOutcome = { kind: "queued"; referrals: number } | { kind: "not_found" };

/**
 * Looks everything about an order up again because a person asks for it: the order in the store, its referrals
 * at the service, and what became of attempts whose answer was lost. Only reads, so it can be asked for at
 * any time.
 */
export async function resyncOrder(
  { tenancy }: Pick<Ports, "tenancy">,
  { shop, orderId }: { shop: ShopDomain; orderId: OrderId },
): Promise<ResyncOutcome> {
  return tenancy.inShop(shop, async (tenant) => {
    if ((await tenant.orders.namesOf([orderId])).size === 0) return { kind: "not_found" };
    await tenant.jobs.enqueue({ name: "reconcile-order", shop, orderId });
    const requests = await tenant.requests.forOrder(orderId);
    for (const { id: requestId, state } of requests)
      if (state === "ambiguous")
        await tenant.jobs.enqueue({ name: "resolve-ambiguous", shop, requestId });
    const referrals = await tenant.referrals.forRequests(requests.map((request) => request.id));
    for (const { environment, uuid } of referrals)
      await tenant.jobs.enqueue({ name: "refetch-referral", shop, environment, uuid });
    return { kind: "queued", referrals: referrals.length };
  });
}
