import type { OrderId, VariantId } from "../kernel/ids.ts";
import type { OrderFacts } from "../referrals/order-facts.ts";

/** Port: orders that wait for what the merchant maps. */
export interface WaitingOrders extends OrderFacts {
  /** Orders that sold a variant which had no mapping. */
  withUnmapped(variantId: VariantId): Promise<OrderId[]>;
}
