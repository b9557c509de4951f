import type { ProductId, ShopDomain } from "../ids.ts";
import type { Ports } from "../ports.ts";

/**
 * A product was changed or deleted: marks the mappings of variants that the store sells no longer, and takes
 * the mark from those that it does. The store is asked each time, so the order of messages does not matter; a
 * variant that got another name keeps its id and its mapping.
 */
export async function reconcileProduct(
  { tenancy, storeVariants, clock }: Pick<Ports, "tenancy" | "storeVariants" | "clock">,
  { shop, productId }: { shop: ShopDomain; productId: ProductId },
): Promise<{ kind: "reconciled"; gone: number } | { kind: "not_mapped" | "not_installed" }> {
  const mapped = await tenancy.inShop(shop, async (tenant) => ({
    installed: (await tenant.shops.find())?.installed ?? false,
    variantIds: await tenant.mappings.variantsOf(productId),
  }));
  if (!mapped.installed) return { kind: "not_installed" };
  if (mapped.variantIds.length === 0) return { kind: "not_mapped" };
  const sold = await storeVariants.stillSold(shop, mapped.variantIds);
  const gone = mapped.variantIds.filter((id) => !sold.has(id));
  await tenancy.inShop(shop, (tenant) =>
    tenant.mappings.setGone({ productId, gone, at: clock.now() }),
  );
  return { kind: "reconciled", gone: gone.length };
}
