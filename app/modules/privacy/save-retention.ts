import type { ShopDomain } from "../kernel/ids.ts";
import type { Ports } from "./ports.ts";

/** Says for how many months what is held about people is kept after its last change; null keeps it. */
export async function saveRetention(
  { tenancy }: Pick<Ports, "tenancy">,
  { shop, months }: { shop: ShopDomain; months: number | null },
): Promise<void> {
  await tenancy.inShop(shop, async (tenant) => {
    await tenant.shops.setRetention(months);
    await tenant.jobs.enqueue({ name: "maintain-shop", shop });
  });
}
