import { netCents } from "../../orders/amounts.ts";
import { fulfillmentOrderStatus, remainingQuantity } from "../../orders/fulfillment-orders.ts";
import { findVariant } from "../../products/find-variant.ts";
import { globalId } from "../../state/global-id.ts";
import type {
  FulfillmentOrderRecord,
  FulfillmentRecord,
  OrderDocument,
} from "../../state/order.ts";
import { listConnection, type PageArguments } from "../connection.ts";
import type { Caller } from "../context.ts";
import { type SearchFields, search } from "../search.ts";
import type { View } from "../view.ts";
import { lineItemView } from "./line-item.ts";
import { moneyBag } from "./money.ts";
import { variantView } from "./product.ts";

const searchFields = (order: OrderDocument): SearchFields<FulfillmentOrderRecord> => ({
  id: (entry) => entry.id,
  status: (entry) => fulfillmentOrderStatus(order, entry),
  updated_at: (entry) => new Date(entry.updatedAt),
});

/** The fulfilment orders of one order, searched as Shopify documents it; `whole` shows the order. */
export const fulfillmentOrdersConnection = (
  caller: Caller,
  order: OrderDocument,
  args: PageArguments & { query?: string | null },
  whole: () => View,
) =>
  listConnection(
    search(order.fulfillmentOrders, args.query, searchFields(order), (entry) => String(entry.id)),
    args,
    (entry) => fulfillmentOrderView(caller, order, entry, whole),
  );

/** FulfillmentOrder: what of an order is to be fulfilled from the shop's one location; `whole` shows the order. */
export function fulfillmentOrderView(
  caller: Caller,
  order: OrderDocument,
  entry: FulfillmentOrderRecord,
  whole: () => View,
): View {
  const status = fulfillmentOrderStatus(order, entry);
  const open = status === "OPEN" || status === "IN_PROGRESS";
  return {
    __typename: "FulfillmentOrder",
    id: globalId("FulfillmentOrder", entry.id),
    status,
    requestStatus: "UNSUBMITTED",
    createdAt: entry.createdAt,
    updatedAt: entry.updatedAt,
    fulfillAt: entry.createdAt,
    fulfillBy: null,
    fulfillmentHolds: [],
    orderId: globalId("Order", order.id),
    orderName: order.name,
    orderProcessedAt: order.processedAt,
    order: whole,
    supportedActions: open ? [{ action: "CREATE_FULFILLMENT", externalUrl: null }] : [],
    assignedLocation: {
      name: caller.shop.name,
      countryCode: caller.shop.countryCode,
      address1: caller.shop.address1,
      address2: null,
      city: caller.shop.city,
      province: caller.shop.province,
      zip: caller.shop.zip,
      phone: caller.shop.phone,
      location: { __typename: "Location", ...locationView(caller) },
    },
    lineItems: (args: PageArguments) =>
      listConnection(entry.lines, args, (line) => fulfillmentOrderLineView(caller, order, line)),
    fulfillments: (args: PageArguments) =>
      listConnection(
        order.fulfillments.filter((made) => made.fulfillmentOrderIds.includes(entry.id)),
        args,
        (made) => fulfillmentView(caller, order, made, whole),
      ),
  };
}

const locationView = (caller: Caller) => ({
  id: globalId("Location", caller.shop.locationId),
  legacyResourceId: String(caller.shop.locationId),
  name: caller.shop.name,
  isActive: true,
});

function fulfillmentOrderLineView(
  caller: Caller,
  order: OrderDocument,
  entry: FulfillmentOrderRecord["lines"][number],
): View {
  const line = order.lines.find((candidate) => candidate.id === entry.lineItemId);
  const found =
    line?.variantId == null
      ? undefined
      : findVariant(caller.platform.data, order.shop, line.variantId);
  return {
    __typename: "FulfillmentOrderLineItem",
    id: globalId("FulfillmentOrderLineItem", entry.id),
    totalQuantity: entry.totalQuantity,
    remainingQuantity: remainingQuantity(order, entry),
    productTitle: line?.title ?? "",
    variantTitle: line?.variantTitle ?? null,
    sku: line?.sku ?? null,
    vendor: line?.vendor ?? null,
    requiresShipping: line?.requiresShipping ?? false,
    warnings: [],
    lineItem: () => (line ? lineItemView(caller, order, line) : null),
    variant: () => (found ? variantView(caller, found.product, found.variant) : null),
  };
}

/** Fulfillment; `whole` shows its order. */
export function fulfillmentView(
  caller: Caller,
  order: OrderDocument,
  entry: FulfillmentRecord,
  whole: () => View,
): View {
  return {
    __typename: "Fulfillment",
    id: globalId("Fulfillment", entry.id),
    legacyResourceId: String(entry.id),
    name: entry.name,
    status: "SUCCESS",
    displayStatus: entry.trackingNumber === null ? "FULFILLED" : "IN_TRANSIT",
    createdAt: entry.createdAt,
    updatedAt: entry.updatedAt,
    deliveredAt: null,
    inTransitAt: null,
    estimatedDeliveryAt: null,
    requiresShipping: order.lines.some((line) => line.requiresShipping),
    totalQuantity: entry.lines.reduce((total, line) => total + line.quantity, 0),
    trackingInfo: ({ first }: { first?: number | null }) =>
      entry.trackingNumber === null && entry.trackingUrl === null && entry.trackingCompany === null
        ? []
        : [
            {
              company: entry.trackingCompany,
              number: entry.trackingNumber,
              url: entry.trackingUrl,
            },
          ].slice(0, first ?? undefined),
    order: whole,
    fulfillmentLineItems: (args: PageArguments) =>
      listConnection(entry.lines, args, (item) => {
        const line = order.lines.find((candidate) => candidate.id === item.lineItemId);
        const money = (cents: number) => moneyBag(cents, order.currencyCode);
        return {
          __typename: "FulfillmentLineItem",
          id: globalId("FulfillmentLineItem", item.id),
          quantity: item.quantity,
          originalTotalSet: money((line?.unitPriceCents ?? 0) * item.quantity),
          discountedTotalSet: money(line ? netCents(line, item.quantity) : 0),
          lineItem: () => (line ? lineItemView(caller, order, line) : null),
        };
      }),
    fulfillmentOrders: (args: PageArguments) =>
      listConnection(
        order.fulfillmentOrders.filter((candidate) =>
          entry.fulfillmentOrderIds.includes(candidate.id),
        ),
        args,
        (candidate) => fulfillmentOrderView(caller, order, candidate, whole),
      ),
  };
}
