import type { ShopDomain } from "../kernel/ids.ts";
import type { Ports } from "./ports.ts";

/** What people call the shop; the name in its domain until its first order told another. */
export async function shopName(
  { tenancy }: Pick<Ports, "tenancy">,
  shop: ShopDomain,
): Promise<string> {
  const settings = await tenancy.inKnownShop(shop, (tenant) => tenant.shops.find());
  return settings?.name ?? shop.replace(".myshopify.com", "");
}
