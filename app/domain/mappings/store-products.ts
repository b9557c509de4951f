import type { ProductId, ShopDomain, VariantId } from "../ids.ts";

/** A variant that the store sells. */
export interface StoreVariant {
  id: VariantId;
  productId: ProductId;
  productTitle: string;
  /** Null when the product has the default variant only. */
  variantTitle: string | null;
  sku: string | null;
  /** The variant's price in cents of the shop's currency. */
  priceCents: number;
}

/** Port: variants by their ids. */
export interface StoreVariants {
  /** Those of these variants that the store still has. */
  stillSold(shop: ShopDomain, variantIds: VariantId[]): Promise<Set<VariantId>>;
}

/** Port: lists what the store sells. */
export interface StoreProducts {
  variants(
    shop: ShopDomain,
    page: { after: string | null; query?: string },
  ): Promise<{
    variants: StoreVariant[];
    next: string | null;
  }>;
}
