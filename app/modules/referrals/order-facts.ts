import type { LineItemId, OrderId, ProductId, VariantId } from "../kernel/ids.ts";

/** What a line of an order sold. The product is null when the store had deleted it before its order was read. */
export interface SoldVariant {
  variantId: VariantId;
  productId: ProductId | null;
}

/** Port: what the ledger asks of the order that a unit was bought with. */
export interface OrderFacts {
  /** Lets nobody else reconcile or re-order anything of it until the transaction ends. */
  lock(orderId: OrderId): Promise<void>;
  /** The variant that a line sold, or null. */
  variantOf(orderId: OrderId, lineItemId: LineItemId): Promise<SoldVariant | null>;
  /** Null when nothing is known of the buyer, or not any more. */
  buyerOf(orderId: OrderId): Promise<{ email: string | null; statusUrl: string | null } | null>;
}

/** The products of variants, where they are known. */
export const productsOf = (
  sold: readonly { variantId: VariantId | null; productId: ProductId | null }[],
): Map<VariantId, ProductId> =>
  new Map(
    sold.flatMap(({ variantId, productId }) =>
      variantId && productId ? [[variantId, productId] as const] : [],
    ),
  );
