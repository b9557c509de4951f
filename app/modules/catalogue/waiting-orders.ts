import type { OrderId, ProductId, VariantId } from "../kernel/ids.ts";
import type { OrderFacts } from "../referrals/order-facts.ts";

/** Port: orders that wait for what the merchant maps. */
export interface WaitingOrders extends OrderFacts {
  /**
   * Orders that sold a variant, or any variant of a product, which had no mapping: some of them, by their ids, behind
   * one of them.
   */
  withUnmapped(
    sold: VariantId | ProductId,
    page: { after: OrderId | null; limit: number },
  ): Promise<OrderId[]>;
  /** How many these are. */
  countUnmapped(sold: VariantId | ProductId): Promise<number>;
}

/** How far the orders were walked through that waited for one mapping. */
export interface WaitingWalk {
  /** The variant, or the product as a whole, that has a meaning now. */
  sold: VariantId | ProductId;
  /** The order behind which the walk goes on; null at its start. */
  after: OrderId | null;
}
