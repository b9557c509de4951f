import type { Platform } from "../platform.ts";
import { Refusal } from "../refusal.ts";
import { nextId } from "../state/next-id.ts";
import type { OrderDocument, OrderLineRecord } from "../state/order.ts";
import type { ShopDocument } from "../state/shop.ts";
import { type LineChange, orderEditPayload } from "../webhooks/payloads/order-edit.ts";
import { publish } from "../webhooks/publish.ts";
import { lineQuantities } from "./amounts.ts";
import { publishOrder, saveOrder } from "./change-order.ts";
import { newFulfillmentOrder } from "./fulfillment-orders.ts";
import { lineFromVariant } from "./line-from-variant.ts";

export interface OrderEdit {
  /** New current quantity of lines that the order has. */
  setQuantities: { lineItemId: number; quantity: number }[];
  /** New lines. */
  add: { variantId: number; quantity: number }[];
}

/**
 * Edits an order and tells the app: orders/edited, then orders/updated. Added units are not paid until
 * {@link payOutstanding}; removed ones lower the current quantity without a refund, as in Shopify.
 */
export function editOrder(
  platform: Platform,
  shop: ShopDocument,
  order: OrderDocument,
  edit: OrderEdit,
): OrderDocument {
  if (order.cancelledAt !== null) throw new Refusal(422, `order ${order.name} is cancelled`);
  const at = platform.clock.nowIso();
  const changes: LineChange[] = [];
  const lines = order.lines.map((line) => {
    const wanted = edit.setQuantities.find((entry) => entry.lineItemId === line.id);
    if (!wanted) return line;
    const { current, unfulfilled } = lineQuantities(order, line);
    const delta = wanted.quantity - current;
    if (-delta > unfulfilled)
      throw new Refusal(422, `only ${unfulfilled} units of line ${line.id} are not fulfilled yet`);
    changes.push({ lineItemId: line.id, delta });
    return withDelta(line, delta);
  });
  for (const { lineItemId } of edit.setQuantities) {
    if (!order.lines.some((line) => line.id === lineItemId)) {
      throw new Refusal(404, `order ${order.name} has no line ${lineItemId}`);
    }
  }
  const added = edit.add.map((entry) => lineFromVariant(platform, shop, entry));
  changes.push(...added.map((line) => ({ lineItemId: line.id, delta: line.quantity })));
  const edited = saveOrder(platform, order, {
    edited: true,
    lines: [...lines, ...added],
    fulfillmentOrders:
      added.length === 0
        ? grownFulfillmentOrders(order, changes)
        : [...grownFulfillmentOrders(order, changes), newFulfillmentOrder(platform, added, at)],
  });
  publish(
    platform,
    shop,
    "orders/edited",
    orderEditPayload({ id: nextId(platform.data), order: edited, shop, changes, committedAt: at }),
  );
  publishOrder(platform, shop, edited, ["orders/updated"]);
  return edited;
}

function withDelta(line: OrderLineRecord, delta: number): OrderLineRecord {
  return delta >= 0
    ? { ...line, quantity: line.quantity + delta }
    : { ...line, removedQuantity: line.removedQuantity - delta };
}

const grownFulfillmentOrders = (order: OrderDocument, changes: LineChange[]) =>
  order.fulfillmentOrders.map((entry) => ({
    ...entry,
    lines: entry.lines.map((line) => {
      const delta = changes.find((change) => change.lineItemId === line.lineItemId)?.delta ?? 0;
      return delta > 0 ? { ...line, totalQuantity: line.totalQuantity + delta } : line;
    }),
  }));
