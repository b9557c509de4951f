import type { ShopDomain } from "../ids.ts";
import type { Ports } from "../ports.ts";
import type { OrderPage, OrderQuery } from "./overview-repository.ts";

/** One page of the shop's paid orders with where their requests stand. */
export async function readOrders(
  { tenancy }: Pick<Ports, "tenancy">,
  { shop, ...query }: OrderQuery & { shop: ShopDomain },
): Promise<OrderPage> {
  return tenancy.inShop(shop, (tenant) => tenant.overview.orderPage(query));
}
