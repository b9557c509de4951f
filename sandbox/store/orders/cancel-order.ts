import type { Platform } from "../platform.ts";
import { Refusal } from "../refusal.ts";
import type { CancelReason, OrderDocument } from "../state/order.ts";
import type { ShopDocument } from "../state/shop.ts";
import { lineQuantities, orderAmounts } from "./amounts.ts";
import { publishOrder, saveOrder } from "./change-order.ts";
import { applyRefund, publishRefund } from "./refund-order.ts";

/**
 * Cancels an order, by default giving all the money back, as the admin's dialogue does. Tells the app: orders/cancelled,
 * refunds/create when there was something to refund, orders/updated.
 */
export function cancelOrder(
  platform: Platform,
  shop: ShopDocument,
  order: OrderDocument,
  input: { reason?: CancelReason; refund?: boolean },
): OrderDocument {
  if (order.cancelledAt !== null)
    throw new Refusal(422, `order ${order.name} is cancelled already`);
  const lines = order.lines
    .map((line) => ({ lineItemId: line.id, quantity: lineQuantities(order, line).refundable }))
    .filter((line) => line.quantity > 0);
  const cancelled = saveOrder(platform, order, {
    cancelledAt: platform.clock.nowIso(),
    cancelReason: input.reason ?? "CUSTOMER",
    closedAt: platform.clock.nowIso(),
  });
  const refunds = (input.refund ?? true) && lines.length > 0;
  const { receivedCents, refundedCents } = orderAmounts(order);
  const refunded = refunds
    ? applyRefund(platform, cancelled, {
        lines,
        shipping: true,
        // Also what edits took off without giving it back.
        amountCents: receivedCents - refundedCents,
      })
    : null;
  const final = refunded?.order ?? cancelled;
  publishOrder(platform, shop, final, ["orders/cancelled"]);
  if (refunded) publishRefund(platform, shop, refunded);
  publishOrder(platform, shop, final, ["orders/updated"]);
  return final;
}
