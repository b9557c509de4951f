import type { OrderId, VariantId } from "../kernel/ids.ts";
import type { Environment } from "../shops/connection.ts";

/** One reason why one order needs a person. */
export interface AttentionItem {
  orderId: OrderId;
  orderName: string;
  paidAt: Date;
  reason: string;
  /** The requests of the order that share the reason; none when it is the order's own. */
  requestIds: string[];
  /** The variant that it is about, the first when there are several: of which they are units, or that is not mapped. */
  variantId: VariantId | null;
  /** Whose mapping it is about; null: that of where new orders go. */
  environment: Environment | null;
}
