import type { Platform } from "../platform.ts";
import { Refusal } from "../refusal.ts";
import { nextId } from "../state/next-id.ts";
import type { FulfillmentOrderRecord, FulfillmentRecord, OrderDocument } from "../state/order.ts";
import type { ShopDocument } from "../state/shop.ts";
import { fulfilmentStatus } from "./amounts.ts";
import { publishOrder, saveOrder } from "./change-order.ts";
import { remainingQuantity } from "./fulfillment-orders.ts";

export interface FulfilledUnits {
  line: FulfillmentOrderRecord["lines"][number];
  quantity: number;
}

type Fulfilment = Pick<
  FulfillmentRecord,
  "fulfillmentOrderIds" | "trackingCompany" | "trackingNumber" | "trackingUrl"
> & { units: FulfilledUnits[] };

/** Fulfils units and tells the app: orders/fulfilled or orders/partially_fulfilled, then orders/updated. */
export function fulfilOrder(
  platform: Platform,
  shop: ShopDocument,
  order: OrderDocument,
  { units, ...how }: Fulfilment,
): { order: OrderDocument; fulfillment: FulfillmentRecord } {
  const now = platform.clock.nowIso();
  const fulfillment: FulfillmentRecord = {
    id: nextId(platform.data),
    name: `${order.name}-F${order.fulfillments.length + 1}`,
    createdAt: now,
    updatedAt: now,
    lines: units.map(({ line, quantity }) => ({
      id: nextId(platform.data),
      lineItemId: line.lineItemId,
      quantity,
    })),
    ...how,
  };
  const changed = saveOrder(platform, order, {
    fulfillments: [...order.fulfillments, fulfillment],
    fulfillmentOrders: order.fulfillmentOrders.map((entry) =>
      how.fulfillmentOrderIds.includes(entry.id) ? withFulfilled(entry, units, now) : entry,
    ),
  });
  const done = fulfilmentStatus(changed) === "FULFILLED";
  publishOrder(platform, shop, changed, [
    done ? "orders/fulfilled" : "orders/partially_fulfilled",
    "orders/updated",
  ]);
  return { order: changed, fulfillment };
}

/** Fulfils as staff do in the admin: so many units of lines, whatever fulfilment orders they are in. */
export function fulfilByHand(
  platform: Platform,
  shop: ShopDocument,
  order: OrderDocument,
  wanted: { lineItemId: number; quantity: number }[],
): OrderDocument {
  const parts = wanted.map(({ lineItemId, quantity }) => {
    const place = order.fulfillmentOrders.find((entry) =>
      entry.lines.some(
        (line) => line.lineItemId === lineItemId && remainingQuantity(order, line) >= quantity,
      ),
    );
    const line = place?.lines.find((entry) => entry.lineItemId === lineItemId);
    if (!place || !line)
      throw new Refusal(422, `line ${lineItemId} has not got ${quantity} units to fulfil`);
    return { place, units: { line, quantity } };
  });
  return fulfilOrder(platform, shop, order, {
    units: parts.map(({ units }) => units),
    fulfillmentOrderIds: [...new Set(parts.map(({ place }) => place.id))],
    trackingCompany: null,
    trackingNumber: null,
    trackingUrl: null,
  }).order;
}

const withFulfilled = (
  entry: FulfillmentOrderRecord,
  units: FulfilledUnits[],
  now: string,
): FulfillmentOrderRecord => ({
  ...entry,
  updatedAt: now,
  lines: entry.lines.map((line) => {
    const quantity = units.find((candidate) => candidate.line.id === line.id)?.quantity ?? 0;
    return { ...line, fulfilledQuantity: line.fulfilledQuantity + quantity };
  }),
});
