import { financialStatus, fulfilmentStatus, orderAmounts } from "../../orders/amounts.ts";
import type { OrderDocument } from "../../state/order.ts";
import { connection, type PageArguments, type Position } from "../connection.ts";
import type { Caller } from "../context.ts";
import { notModelled } from "../not-modelled.ts";
import { type SearchFields, search } from "../search.ts";
import type { View } from "../view.ts";

const visibleDaysWithoutScope = 60;

/** The shop's orders; an app without `read_all_orders` sees those of the last 60 days. */
export function visibleOrders(
  caller: Caller,
  orders: OrderDocument[] = caller.platform.data.orders.all(),
): OrderDocument[] {
  const seesAll = !caller.isApp || caller.scopes.includes("read_all_orders");
  const sinceMs = caller.platform.clock.nowMs() - visibleDaysWithoutScope * 86_400_000;
  return orders.filter(
    (order) => order.shop === caller.shop.id && (seesAll || Date.parse(order.createdAt) >= sinceMs),
  );
}

export interface OrdersArguments extends PageArguments {
  query?: string | null;
  sortKey?: string | null;
}

export function ordersConnection(
  orders: OrderDocument[],
  args: OrdersArguments,
  view: (order: OrderDocument) => View,
) {
  const position = sortPositions[args.sortKey ?? "PROCESSED_AT"];
  if (!position) throw notModelled(`sorting orders by ${args.sortKey}`);
  return connection(searchOrders(orders, args.query), args, position, view);
}

export const searchOrders = (orders: OrderDocument[], query: string | null | undefined) =>
  search(orders, query, orderSearchFields, (order) => `${order.name} ${order.email ?? ""}`);

const time = (iso: string): number => Date.parse(iso);

const sortPositions: Record<string, (order: OrderDocument) => Position> = {
  CREATED_AT: (order) => [time(order.createdAt), order.id],
  PROCESSED_AT: (order) => [time(order.processedAt), order.id],
  UPDATED_AT: (order) => [time(order.updatedAt), order.id],
  ORDER_NUMBER: (order) => [order.orderNumber, order.id],
  CURRENT_TOTAL_PRICE: (order) => [orderAmounts(order).currentTotalCents, order.id],
  RELEVANCE: (order) => [order.id, order.id],
  TOTAL_PRICE: (order) => [orderAmounts(order).totalCents, order.id],
  ID: (order) => [order.id, order.id],
};

export const orderSearchFields: SearchFields<OrderDocument> = {
  id: (order) => order.id,
  name: (order) => [order.name, order.name.replace("#", "")],
  created_at: (order) => new Date(order.createdAt),
  processed_at: (order) => new Date(order.processedAt),
  updated_at: (order) => new Date(order.updatedAt),
  email: (order) => order.email,
  customer_id: (order) => order.customerId,
  financial_status: (order) => financialStatus(order),
  fulfillment_status: (order) =>
    ({
      UNFULFILLED: ["unfulfilled", "unshipped"],
      PARTIALLY_FULFILLED: ["partial"],
      FULFILLED: ["fulfilled", "shipped"],
    })[fulfilmentStatus(order)],
  status: (order) =>
    order.cancelledAt !== null
      ? ["cancelled", "any"]
      : order.closedAt !== null
        ? ["closed", "any"]
        : ["open", "not_closed", "any"],
  risk_level: (order) => order.riskLevel,
  tag: (order) => order.tags,
  test: (order) => order.test,
  sku: (order) => order.lines.map((line) => line.sku),
  gateway: (order) => order.transactions.map((transaction) => transaction.gateway),
  current_total_price: (order) => orderAmounts(order).currentTotalCents / 100,
};
