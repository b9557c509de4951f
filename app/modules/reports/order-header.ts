import type { CustomerId, LineItemId, OrderId, VariantId } from "../kernel/ids.ts";
import type { MappingState } from "../orders/order.ts";
import type { AttentionReason } from "./attention-item.ts";

export interface OrderHeader {
  orderId: OrderId;
  name: string;
  paidAt: Date;
  readAt: Date;
  test: boolean;
  cancelledAt: Date | null;
  /** In the store; null for a guest, and once what is known of the customer was destroyed. */
  customerId: CustomerId | null;
  /** When everything about its buyer was destroyed. */
  erasedAt: Date | null;
  attention: AttentionReason | null;
  lines: OrderLineHeader[];
}

export interface OrderLineHeader {
  lineItemId: LineItemId;
  variantId: VariantId | null;
  title: string;
  sku: string | null;
  quantity: number;
  currentQuantity: number;
  mappingState: MappingState;
}
