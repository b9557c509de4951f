import { fulfilmentStatus } from "../../orders/amounts.ts";
import { publishOrder, saveOrder } from "../../orders/change-order.ts";
import { remainingQuantity } from "../../orders/fulfillment-orders.ts";
import { idFrom } from "../../state/global-id.ts";
import { nextId } from "../../state/next-id.ts";
import type { FulfillmentOrderRecord, OrderDocument } from "../../state/order.ts";
import type { Caller } from "../context.ts";
import { userError } from "../user-error.ts";
import type { View } from "../view.ts";
import { fulfillmentView } from "../views/fulfillment.ts";

interface FulfillmentInput {
  lineItemsByFulfillmentOrder: {
    fulfillmentOrderId: string;
    fulfillmentOrderLineItems?: { id: string; quantity: number }[] | null;
  }[];
  trackingInfo?: {
    company?: string | null;
    number?: string | null;
    url?: string | null;
  } | null;
}

interface Wanted {
  line: FulfillmentOrderRecord["lines"][number];
  quantity: number;
}

/** Fulfils units of one order's fulfilment orders; without lines, all that is left. Tells of orders/updated. */
export function fulfillmentCreate(
  caller: Caller,
  { fulfillment: input }: { fulfillment: FulfillmentInput },
): View {
  const { platform, shop } = caller;
  const refuse = (field: string[], message: string): View => ({
    fulfillment: null,
    userErrors: [userError(["fulfillment", ...field], message)],
  });
  const [part, ...others] = input.lineItemsByFulfillmentOrder;
  if (!part)
    return refuse(
      ["lineItemsByFulfillmentOrder"],
      "Line items by fulfillment order can't be blank",
    );
  if (others.length > 0) {
    return refuse(
      ["lineItemsByFulfillmentOrder"],
      "The sandbox fulfils one fulfillment order at a time",
    );
  }
  const found = findFulfillmentOrder(caller, part.fulfillmentOrderId);
  if (!found) return refuse(["lineItemsByFulfillmentOrder"], "Fulfillment order does not exist.");
  const { order, fulfillmentOrder } = found;
  const wanted = wantedLines(order, fulfillmentOrder, part.fulfillmentOrderLineItems);
  if (
    wanted.some(({ line, quantity }) => quantity < 1 || quantity > remainingQuantity(order, line))
  ) {
    return refuse(
      ["lineItemsByFulfillmentOrder"],
      "Invalid fulfillment order line item quantity requested.",
    );
  }
  if (wanted.length === 0) {
    return refuse(
      [],
      `Fulfillment order ${fulfillmentOrder.id} has an unfulfillable status= closed.`,
    );
  }
  const now = platform.clock.nowIso();
  const made = {
    id: nextId(platform.data),
    name: `${order.name}-F${order.fulfillments.length + 1}`,
    createdAt: now,
    updatedAt: now,
    fulfillmentOrderId: fulfillmentOrder.id,
    lines: wanted.map(({ line, quantity }) => ({
      id: nextId(platform.data),
      lineItemId: line.lineItemId,
      quantity,
    })),
    trackingCompany: input.trackingInfo?.company ?? null,
    trackingNumber: input.trackingInfo?.number ?? null,
    trackingUrl: input.trackingInfo?.url ?? null,
  };
  const changed = saveOrder(platform, order, {
    fulfillments: [...order.fulfillments, made],
    fulfillmentOrders: order.fulfillmentOrders.map((entry) =>
      entry.id === fulfillmentOrder.id ? withFulfilled(entry, wanted, now) : entry,
    ),
  });
  const done = fulfilmentStatus(changed) === "FULFILLED";
  publishOrder(platform, shop, changed, [
    done ? "orders/fulfilled" : "orders/partially_fulfilled",
    "orders/updated",
  ]);
  return { fulfillment: fulfillmentView(caller, changed, made), userErrors: [] };
}

function findFulfillmentOrder(caller: Caller, globalIdText: string) {
  const id = idFrom(globalIdText, "FulfillmentOrder");
  for (const order of caller.platform.data.orders.all()) {
    if (order.shop !== caller.shop.id) continue;
    const fulfillmentOrder = order.fulfillmentOrders.find((entry) => entry.id === id);
    if (fulfillmentOrder) return { order, fulfillmentOrder };
  }
  return undefined;
}

function wantedLines(
  order: OrderDocument,
  fulfillmentOrder: FulfillmentOrderRecord,
  asked: { id: string; quantity: number }[] | null | undefined,
): Wanted[] {
  if (!asked || asked.length === 0) {
    return fulfillmentOrder.lines
      .map((line) => ({ line, quantity: remainingQuantity(order, line) }))
      .filter(({ quantity }) => quantity > 0);
  }
  return asked.flatMap(({ id, quantity }) => {
    const number = idFrom(id, "FulfillmentOrderLineItem");
    const line = fulfillmentOrder.lines.find((entry) => entry.id === number);
    return line ? [{ line, quantity }] : [];
  });
}

const withFulfilled = (
  entry: FulfillmentOrderRecord,
  wanted: Wanted[],
  now: string,
): FulfillmentOrderRecord => ({
  ...entry,
  updatedAt: now,
  lines: entry.lines.map((line) => {
    const quantity = wanted.find((candidate) => candidate.line.id === line.id)?.quantity ?? 0;
    return { ...line, fulfilledQuantity: line.fulfilledQuantity + quantity };
  }),
});
