import type { ProductId, ShopDomain, VariantId } from "../kernel/ids.ts";

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
  /** The product's status as the store names it, in lower case: active, draft, archived. */
  productStatus: string;
}

/** The variants that are asked for; all of them without a condition. */
export type VariantCondition =
  | { kind: "all" }
  | { kind: "product"; productId: ProductId }
  | { kind: "variants"; variantIds: VariantId[] }
  | { kind: "updated_since"; since: Date };

/** Port: lists what the store sells, and writes what its product pages say about a test. */
export interface StoreProducts {
  variants(
    shop: ShopDomain,
    page: { after: string | null; condition: VariantCondition },
  ): Promise<{
    variants: StoreVariant[];
    next: string | null;
    /** Shopify's id of the store that sells them; undefined where it was not told. */
    storeId?: string | undefined;
  }>;
  /**
   * Writes the product's test details (JSON text; null removes them). `gone` when the store has no such product
   * any more, `refused` when the app may not, or the store does not take it.
   */
  publish(
    shop: ShopDomain,
    productId: ProductId,
    details: string | null,
  ): Promise<{ kind: "published" | "gone" } | { kind: "refused"; code: string }>;
}
