import { storesInDoubt } from "../../platform/counters.ts";
import type { ShopDomain } from "../kernel/ids.ts";
import type { Ports } from "./ports.ts";
import { storeDoubt } from "./store-doubt.ts";

/**
 * Asks the store who it is, which scopes are granted and which customer accounts it has, and stores the answer. A grant or its end
 * reaches the app by a webhook, whose figures are never used, or when an option is saved. Rejects with StoreError.
 */
export async function readStoreFacts(
  { tenancy, storeFacts, logger }: Pick<Ports, "tenancy" | "storeFacts" | "logger">,
  { shop }: { shop: ShopDomain },
): Promise<"stored" | "gone"> {
  const known = await tenancy.inShop(shop, (tenant) => tenant.shops.find());
  if (!known?.installed) return "gone";
  const facts = await storeFacts.read(shop);
  const doubt = await tenancy.inShop(shop, async (tenant) => {
    const { storeId, ...others } = facts;
    // First, as where an order is read: each locks the id before the shop's row.
    if (storeId) await tenant.shops.identify(storeId);
    const found = await storeDoubt(tenant);
    // Another store's time zone and customer accounts are not those of the patients whose rows these are.
    if (found !== "domain_of_other_store") await tenant.shops.recordFacts(others);
    return found;
  });
  // Told at each reading, for as long as it stands.
  if (doubt) {
    storesInDoubt.add({ code: doubt });
    logger.warn({ shop, code: doubt }, "whose orders these are is in doubt");
  }
  return "stored";
}
