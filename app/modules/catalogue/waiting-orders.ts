import type { OrderId, ProductId, VariantId } from "../kernel/ids.ts";
import type { OrderFacts } from "../referrals/order-facts.ts";

/** Port: orders that wait for what the merchant maps. */
export interface WaitingOrders extends OrderFacts {
  /** Orders that sold a variant, or any variant of a product, which had no mapping. */
  withUnmapped(sold: VariantId | ProductId): Promise<OrderId[]>;
}
