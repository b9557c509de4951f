import type { OrderDocument, OrderLineRecord } from "../state/order.ts";

/** Quantities of one line, in the words of Shopify's LineItem. */
export interface LineQuantities {
  refunded: number;
  /** The rest after refunds, cancellation and edits. */
  current: number;
  refundable: number;
  fulfilled: number;
  unfulfilled: number;
}

export function lineQuantities(order: OrderDocument, line: OrderLineRecord): LineQuantities {
  const refunded = sum(
    order.refunds.flatMap((refund) => refund.lines.filter((entry) => entry.lineItemId === line.id)),
    (entry) => entry.quantity,
  );
  const current = line.quantity - line.removedQuantity - refunded;
  const fulfilled = sum(
    order.fulfillments.flatMap((entry) =>
      entry.lines.filter((item) => item.lineItemId === line.id),
    ),
    (entry) => entry.quantity,
  );
  return {
    refunded,
    current,
    refundable: current,
    fulfilled,
    unfulfilled: Math.max(0, current - fulfilled),
  };
}

/** All amounts in whole cents. Pathology is free of GST, so the shop charges no tax. */
export interface OrderAmounts {
  subtotalCents: number;
  shippingCents: number;
  totalCents: number;
  currentSubtotalCents: number;
  currentShippingCents: number;
  currentTotalCents: number;
  receivedCents: number;
  refundedCents: number;
  refundedShippingCents: number;
  outstandingCents: number;
}

export function orderAmounts(order: OrderDocument): OrderAmounts {
  const subtotalCents = sum(order.lines, (line) => line.quantity * line.unitPriceCents);
  const shippingCents = order.shipping?.priceCents ?? 0;
  const currentSubtotalCents = sum(
    order.lines,
    (line) => lineQuantities(order, line).current * line.unitPriceCents,
  );
  const refundedShippingCents = sum(order.refunds, (refund) => refund.shippingCents);
  const currentShippingCents = shippingCents - refundedShippingCents;
  const currentTotalCents = currentSubtotalCents + currentShippingCents;
  const paid = (kind: "SALE" | "REFUND") =>
    sum(
      order.transactions.filter((entry) => entry.kind === kind),
      (entry) => entry.amountCents,
    );
  const receivedCents = paid("SALE");
  const refundedCents = paid("REFUND");
  return {
    subtotalCents,
    shippingCents,
    totalCents: subtotalCents + shippingCents,
    currentSubtotalCents,
    currentShippingCents,
    currentTotalCents,
    receivedCents,
    refundedCents,
    refundedShippingCents,
    outstandingCents: Math.max(0, currentTotalCents - (receivedCents - refundedCents)),
  };
}

export type FinancialStatus =
  | "PENDING"
  | "PARTIALLY_PAID"
  | "PAID"
  | "PARTIALLY_REFUNDED"
  | "REFUNDED"
  | "VOIDED";

export function financialStatus(order: OrderDocument): FinancialStatus {
  const amounts = orderAmounts(order);
  if (amounts.receivedCents === 0) {
    if (order.cancelledAt !== null) return "VOIDED";
    return amounts.totalCents === 0 ? "PAID" : "PENDING";
  }
  if (amounts.outstandingCents > 0) return "PARTIALLY_PAID";
  if (amounts.refundedCents >= amounts.receivedCents) return "REFUNDED";
  return amounts.refundedCents > 0 ? "PARTIALLY_REFUNDED" : "PAID";
}

export type FulfilmentStatus = "UNFULFILLED" | "PARTIALLY_FULFILLED" | "FULFILLED";

export function fulfilmentStatus(order: OrderDocument): FulfilmentStatus {
  const lines = order.lines.map((line) => lineQuantities(order, line));
  if (lines.every((line) => line.fulfilled === 0)) return "UNFULFILLED";
  return lines.every((line) => line.unfulfilled === 0) ? "FULFILLED" : "PARTIALLY_FULFILLED";
}

const sum = <T>(items: T[], of: (item: T) => number): number =>
  items.reduce((total, item) => total + of(item), 0);
