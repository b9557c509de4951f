import type { LineItemId, OrderId, VariantId } from "../kernel/ids.ts";
import type { MappingState } from "../orders/order.ts";
import type { AttentionReason } from "./attention-item.ts";

export interface OrderHeader {
  orderId: OrderId;
  name: string;
  paidAt: Date;
  readAt: Date;
  test: boolean;
  cancelledAt: Date | null;
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
