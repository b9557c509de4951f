import type { Platform } from "../platform.ts";
import { nextId } from "../state/next-id.ts";
import type { FulfillmentOrderRecord, OrderDocument, OrderLineRecord } from "../state/order.ts";
import { lineQuantities } from "./amounts.ts";

/** The order to fulfil given lines, all from the shop's one location. */
export function newFulfillmentOrder(
  platform: Platform,
  lines: OrderLineRecord[],
  at: string,
): FulfillmentOrderRecord {
  return {
    id: nextId(platform.data),
    createdAt: at,
    updatedAt: at,
    lines: lines.map((line) => ({
      id: nextId(platform.data),
      lineItemId: line.id,
      totalQuantity: line.quantity,
      fulfilledQuantity: 0,
    })),
  };
}

/** Units of one fulfilment order line that are still to be fulfilled: refunded and removed units are not. */
export function remainingQuantity(
  order: OrderDocument,
  line: FulfillmentOrderRecord["lines"][number],
): number {
  const ordered = order.lines.find((candidate) => candidate.id === line.lineItemId);
  if (!ordered) return 0;
  const left = lineQuantities(order, ordered).unfulfilled;
  return Math.min(line.totalQuantity - line.fulfilledQuantity, left);
}

export type FulfillmentOrderStatus = "OPEN" | "IN_PROGRESS" | "CLOSED" | "CANCELLED";

export function fulfillmentOrderStatus(
  order: OrderDocument,
  fulfillmentOrder: FulfillmentOrderRecord,
): FulfillmentOrderStatus {
  const remaining = fulfillmentOrder.lines.some((line) => remainingQuantity(order, line) > 0);
  const fulfilled = fulfillmentOrder.lines.some((line) => line.fulfilledQuantity > 0);
  if (!remaining) return fulfilled ? "CLOSED" : "CANCELLED";
  return fulfilled ? "IN_PROGRESS" : "OPEN";
}
