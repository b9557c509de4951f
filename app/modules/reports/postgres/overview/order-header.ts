import { parseEnum } from "../../../../platform/database/parse-enum.ts";
import type { Scope } from "../../../../platform/database/scope.ts";
import { gid, type OrderId } from "../../../kernel/ids.ts";
import { toAttentionReason } from "../../attention-item.ts";
import type { OrderHeader } from "../../order-header.ts";

/** One order and its lines, with nobody's name. */
export async function readOrderHeader(
  { tx, shop }: Scope,
  orderId: OrderId,
): Promise<OrderHeader | null> {
  const row = await tx.order.findUnique({
    where: { shop_orderId: { shop, orderId } },
    omit: { buyerSealed: true },
  });
  if (!row) return null;
  const lines = await tx.orderLine.findMany({
    where: { shop, orderId },
    orderBy: { lineItemId: "asc" },
  });
  const { name, paidAt, readAt, test, cancelledAt, reasonCode } = row;
  return {
    orderId,
    name,
    paidAt,
    readAt,
    test,
    cancelledAt,
    customerId: row.customerId === null ? null : gid("Customer", row.customerId),
    erasedAt: row.redactedAt,
    attention: toAttentionReason(reasonCode, null),
    lines: lines.map((line) => ({
      lineItemId: gid("LineItem", line.lineItemId),
      variantId: line.variantId === null ? null : gid("ProductVariant", line.variantId),
      title: line.title,
      sku: line.sku,
      quantity: line.quantity,
      currentQuantity: line.currentQuantity,
      mappingState: parseEnum(["mapped", "unmapped", "ignored"], line.mappingState),
    })),
  };
}
