import type { ShopDomain } from "../kernel/ids.ts";
import type { Ports } from "../privacy/ports.ts";
import type { Connection } from "../shops/connection.ts";

/** Reads since when calls to the service fail, where the shop's orders go; null while they are answered. */
export async function readFailing(
  { tenancy }: Pick<Ports, "tenancy">,
  shop: ShopDomain,
): Promise<Connection["failing"]> {
  return tenancy.inShop(shop, async (tenant) => {
    const settings = await tenant.shops.find();
    const connection = await tenant.connections.find(settings?.environment ?? "staging");
    return connection?.failing ?? null;
  });
}
