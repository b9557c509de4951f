import type { Reached } from "./milestone.ts";
import type { Tenant } from "./tenant.ts";

/** Has the store told, when the shop wants it told. */
export async function reachMilestone(tenant: Tenant, reached: Reached): Promise<void> {
  const shop = await tenant.shops.find();
  if (!shop?.installed || !(shop.tagOrders || shop.markFulfilled || shop.startFlows)) return;
  await tenant.jobs.enqueue({ name: "publish-order-status", shop: tenant.shop, ...reached });
}
