import type { ShopDomain } from "../kernel/ids.ts";
import type { Ports } from "./ports.ts";
import type { Tenant } from "./tenant.ts";
import type { WaitingWalk } from "./waiting-orders.ts";

/** Orders for each transaction: whoever saves a mapping does not wait for a year's orders to be queued. */
const AT_ONCE = 200;

/**
 * Has the next orders read again that waited for a mapping, and asks for those behind them. An order that is read before
 * the walk comes to it waits no more, and is left out.
 */
export async function reconcileWaitingIn(
  { orders, jobs, shop }: Tenant,
  { sold, after, ignoredSince }: WaitingWalk,
): Promise<void> {
  const page = { after, limit: AT_ONCE };
  const waiting = ignoredSince
    ? await orders.withIgnored(sold, { ...page, since: new Date(ignoredSince) })
    : await orders.withUnmapped(sold, page);
  const since = ignoredSince ? { ignoredSince } : {};
  for (const orderId of waiting)
    await jobs.enqueue({ name: "reconcile-order", shop, orderId, ...since });
  const last = waiting[AT_ONCE - 1];
  if (last)
    await jobs.enqueue({
      ...{ name: "reconcile-waiting", shop, sold, after: last },
      ...since,
    });
}

/** A reading may have begun so long before the mapping that it went by. */
const READING_MS = 10 * 60_000;

/** Has the orders read again that were taken for no test by a mistake that was made at a moment. Returns how many. */
export async function reconcileIgnoredIn(
  tenant: Tenant,
  sold: WaitingWalk["sold"],
  mistakenAt: Date,
): Promise<number> {
  const since = new Date(mistakenAt.getTime() - READING_MS);
  await reconcileWaitingIn(tenant, { sold, after: null, ignoredSince: since.toISOString() });
  return tenant.orders.countIgnored(sold, since);
}

/** The same in a transaction of its own. Safe to run twice: an order is read again however often it is asked for. */
export async function reconcileWaiting(
  { tenancy }: Pick<Ports, "tenancy">,
  { shop, ...walk }: WaitingWalk & { shop: ShopDomain },
): Promise<void> {
  await tenancy.inShop(shop, (tenant) => reconcileWaitingIn(tenant, walk));
}
