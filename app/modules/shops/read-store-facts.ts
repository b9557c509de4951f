import type { ShopDomain } from "../kernel/ids.ts";
import type { Ports } from "./ports.ts";

/**
 * Asks the store which scopes are granted and which customer accounts it has, and stores the answer. A grant or its end
 * reaches the app by a webhook, whose figures are never used, or when an option is saved. Rejects with StoreError.
 */
export async function readStoreFacts(
  { tenancy, storeFacts }: Pick<Ports, "tenancy" | "storeFacts">,
  { shop }: { shop: ShopDomain },
): Promise<"stored" | "gone"> {
  const known = await tenancy.inShop(shop, (tenant) => tenant.shops.find());
  if (!known?.installed) return "gone";
  const facts = await storeFacts.read(shop);
  await tenancy.inShop(shop, (tenant) => tenant.shops.recordFacts(facts));
  return "stored";
}
