import type { LineItemId, OrderId, VariantId } from "../kernel/ids.ts";

/** Port: what the ledger asks of the order that a unit was bought with. */
export interface OrderFacts {
  /** Lets nobody else reconcile or re-order anything of it until the transaction ends. */
  lock(orderId: OrderId): Promise<void>;
  /** The variant that a line sold, or null. */
  variantOf(orderId: OrderId, lineItemId: LineItemId): Promise<VariantId | null>;
  /** Null when nothing is known of the buyer, or not any more. */
  buyerOf(orderId: OrderId): Promise<{ email: string | null } | null>;
}
