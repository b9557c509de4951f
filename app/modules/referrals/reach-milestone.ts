import type { Shop } from "../shops/shop.ts";
import type { Reached } from "./milestone.ts";
import type { Tenant } from "./tenant.ts";

/** Has the store told, when the shop wants it told. `known` is the shop, for whoever read it just now. */
export async function reachMilestone(
  tenant: Tenant,
  reached: Reached,
  known?: Shop | null,
): Promise<void> {
  const shop = known === undefined ? await tenant.shops.find() : known;
  if (!shop?.installed || !(shop.tagOrders || shop.markFulfilled || shop.startFlows)) return;
  await tenant.jobs.enqueue({ name: "publish-order-status", shop: tenant.shop, ...reached });
}
