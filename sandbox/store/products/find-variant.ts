import type { ProductDocument, VariantRecord } from "../state/product.ts";
import type { Tables } from "../state/tables.ts";

/** The variant with this number among a shop's products, with its product. */
export function findVariant(
  data: Tables,
  shop: string,
  variantId: number,
): { product: ProductDocument; variant: VariantRecord } | undefined {
  for (const product of data.products.all()) {
    if (product.shop !== shop) continue;
    const variant = product.variants.find((candidate) => candidate.id === variantId);
    if (variant) return { product, variant };
  }
  return undefined;
}
