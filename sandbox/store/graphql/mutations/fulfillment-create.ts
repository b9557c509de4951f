import { type FulfilledUnits, fulfilOrder } from "../../orders/fulfil-order.ts";
import { remainingQuantity } from "../../orders/fulfillment-orders.ts";
import { idFrom } from "../../state/global-id.ts";
import type { FulfillmentOrderRecord, OrderDocument } from "../../state/order.ts";
import type { Caller } from "../context.ts";
import { userError } from "../user-error.ts";
import type { View } from "../view.ts";
import { fulfillmentView } from "../views/fulfillment.ts";
import { orderView } from "../views/order.ts";

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

interface Wanted extends FulfilledUnits {
  /** How many units of the line are left. */
  remaining: number;
}

/** Fulfils units of one order, from one or several of its fulfilment orders; without lines, all that is left. */
export function fulfillmentCreate(
  caller: Caller,
  { fulfillment: input }: { fulfillment: FulfillmentInput },
): View {
  const { platform, shop } = caller;
  const refuse = (field: string[], message: string): View => ({
    fulfillment: null,
    userErrors: [userError(["fulfillment", ...field], message)],
  });
  const parts = input.lineItemsByFulfillmentOrder;
  if (parts.length === 0)
    return refuse(
      ["lineItemsByFulfillmentOrder"],
      "Line items by fulfillment order can't be blank",
    );
  const found = parts.map((part) => findPart(caller, part));
  const wanted: Wanted[] = [];
  for (const part of found) {
    if (!part) return refuse(["lineItemsByFulfillmentOrder"], "Fulfillment order does not exist.");
    const { order, fulfillmentOrder, lines } = part;
    // A line that is named again has what its first naming left.
    const asked = (id: number) =>
      wanted.reduce((units, { line, quantity }) => units + (line.id === id ? quantity : 0), 0);
    const fits = (one: Wanted) => {
      wanted.push(one);
      return one.quantity >= 1 && asked(one.line.id) <= one.remaining;
    };
    if (!lines?.every(fits)) {
      return refuse(
        ["lineItemsByFulfillmentOrder"],
        "Invalid fulfillment order line item quantity requested.",
      );
    }
    if (order.id !== found[0]?.order.id) {
      return refuse(
        ["lineItemsByFulfillmentOrder"],
        "The fulfillment orders must belong to the same order.",
      );
    }
    if (lines.length === 0) {
      return refuse(
        [],
        `Fulfillment order ${fulfillmentOrder.id} has an unfulfillable status= closed.`,
      );
    }
  }
  const order = found[0]?.order;
  if (!order) return refuse([], "Order does not exist.");
  const { order: changed, fulfillment: made } = fulfilOrder(platform, shop, order, {
    units: wanted,
    fulfillmentOrderIds: found.flatMap((part) => part?.fulfillmentOrder.id ?? []),
    trackingCompany: input.trackingInfo?.company ?? null,
    trackingNumber: input.trackingInfo?.number ?? null,
    trackingUrl: input.trackingInfo?.url ?? null,
  });
  const whole = () => orderView(caller, changed);
  return { fulfillment: fulfillmentView(caller, changed, made, whole), userErrors: [] };
}

type Part = FulfillmentInput["lineItemsByFulfillmentOrder"][number];

/** The fulfilment order that a part names, with what of it is asked for; `lines` is null when it has not got a line. */
function findPart(caller: Caller, part: Part) {
  const id = idFrom(part.fulfillmentOrderId, "FulfillmentOrder");
  for (const order of caller.platform.data.orders.all()) {
    if (order.shop !== caller.shop.id) continue;
    const fulfillmentOrder = order.fulfillmentOrders.find((entry) => entry.id === id);
    if (fulfillmentOrder) {
      const lines = wantedLines(order, fulfillmentOrder, part.fulfillmentOrderLineItems);
      return { order, fulfillmentOrder, lines };
    }
  }
  return undefined;
}

function wantedLines(
  order: OrderDocument,
  fulfillmentOrder: FulfillmentOrderRecord,
  asked: Part["fulfillmentOrderLineItems"],
): Wanted[] | null {
  const open = fulfillmentOrder.lines.map((line) => ({
    line,
    remaining: remainingQuantity(order, line),
  }));
  if (!asked || asked.length === 0) {
    return open
      .filter(({ remaining }) => remaining > 0)
      .map((entry) => ({ ...entry, quantity: entry.remaining }));
  }
  const wanted = asked.flatMap(({ id, quantity }) => {
    const number = idFrom(id, "FulfillmentOrderLineItem");
    const entry = open.find(({ line }) => line.id === number);
    return entry ? [{ ...entry, quantity }] : [];
  });
  return wanted.length === asked.length ? wanted : null;
}
