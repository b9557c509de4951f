import type { Shop } from "./shop.ts";
import type { Tenant } from "./tenant.ts";

/**
 * The shop, if it has the app; null for one that has not. For whoever ends without a word when it has not, and is begun
 * again by its return: an install that is just being made is waited for. It may have looked for what it takes up before
 * this was there, and would leave it for ever.
 */
export async function findInstalled(tenant: Tenant): Promise<Shop | null> {
  const seen = await tenant.shops.find();
  const shop = seen?.installed ? seen : await tenant.shops.findBeforeInstall();
  return shop?.installed ? shop : null;
}
