import type { Connection } from "../connections/connection.ts";
import type { ShopDomain } from "../ids.ts";
import type { Ports } from "../ports.ts";
import type { ShopSettings } from "../shops/shop.ts";

export interface SettingsOverview {
  policies: ShopSettings;
  connections: Connection[];
}

/** What the settings page shows. Secrets are not part of it. */
export async function readSettings(
  { tenancy }: Pick<Ports, "tenancy">,
  shop: ShopDomain,
): Promise<SettingsOverview> {
  return tenancy.inShop(shop, async (tenant) => {
    const found = await tenant.shops.find();
    if (!found) throw new Error("A signed-in shop has no row of its own");
    const { environment, holdOrders, strictMode, minimumAge, releasePolicy, refundPolicy } = found;
    return {
      policies: { environment, holdOrders, strictMode, minimumAge, releasePolicy, refundPolicy },
      connections: await tenant.connections.all(),
    };
  });
}
