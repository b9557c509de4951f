import type { OrderId, VariantId } from "../ids.ts";

/** One reason why one order needs a person. */
export interface AttentionItem {
  orderId: OrderId;
  orderName: string;
  paidAt: Date;
  reason: string;
  /** The requests of the order that share the reason; none when it is the order's own. */
  requestIds: string[];
  /** The variant of which they are units, the first when there are several; null when it is the order's own. */
  variantId: VariantId | null;
}
