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
  const refunds = order.refunds.flatMap((refund) =>
    refund.lines.filter((entry) => entry.lineItemId === line.id),
  );
  const refunded = sum(refunds, (entry) => entry.quantity);
  const cameBack = sum(refunds, (entry) => entry.fulfilledUnits ?? 0);
  const bought = line.quantity - line.removedQuantity - refunded;
  const fulfilled = sum(
    order.fulfillments.flatMap((entry) =>
      entry.lines.filter((item) => item.lineItemId === line.id),
    ),
    (entry) => entry.quantity,
  );
  return {
    refunded,
    current: Math.max(0, bought - onTheWayBack(order, line)),
    refundable: bought,
    fulfilled,
    unfulfilled: Math.max(0, bought - (fulfilled - cameBack)),
  };
}

/** Units of open returns that count as gone although no refund has named them yet. */
function onTheWayBack(order: OrderDocument, line: OrderLineRecord): number {
  const open = (order.returns ?? []).filter(
    ({ status, lowersQuantity }) => status !== "CANCELED" && lowersQuantity,
  );
  return sum(open, (entry) => {
    const refunded = order.refunds.filter(({ returnId }) => returnId === entry.id);
    const of = (lines: { lineItemId: number; quantity: number }[]) =>
      sum(
        lines.filter(({ lineItemId }) => lineItemId === line.id),
        ({ quantity }) => quantity,
      );
    return of(entry.lines) - of(refunded.flatMap(({ lines }) => lines));
  });
}

/** What the discounts take off so many units of a line; `which` names some of the order's discounts by number. */
export function discountCents(
  line: OrderLineRecord,
  units: number,
  which: (discount: number) => boolean = () => true,
): number {
  const counted = (line.discounts ?? []).filter(({ discount }) => which(discount));
  return sum(counted, (entry) => Math.round((entry.cents * units) / entry.units));
}

/** The price of so many units of a line after all discounts. */
export const netCents = (line: OrderLineRecord, units: number): number =>
  units * line.unitPriceCents - discountCents(line, units);

/** All amounts in whole cents. Pathology is free of GST, so the shop charges no tax. */
export interface OrderAmounts {
  /** After discounts, as Shopify's subtotal is. */
  subtotalCents: number;
  discountsCents: number;
  currentDiscountsCents: number;
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
  const subtotalCents = sum(order.lines, (line) => netCents(line, line.quantity));
  const shippingCents = order.shipping?.priceCents ?? 0;
  const currentSubtotalCents = sum(order.lines, (line) =>
    netCents(line, lineQuantities(order, line).current),
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
    discountsCents: sum(order.lines, (line) => discountCents(line, line.quantity)),
    currentDiscountsCents: sum(order.lines, (line) =>
      discountCents(line, lineQuantities(order, line).current),
    ),
    shippingCents,
    totalCents: subtotalCents + shippingCents,
    currentSubtotalCents,
    currentShippingCents,
    currentTotalCents,
    receivedCents,
    refundedCents,
    refundedShippingCents,
    // An amount given back beyond what it was for is not owed: Shopify adjusts the order by the discrepancy.
    outstandingCents: Math.max(
      0,
      currentTotalCents - discrepancyCents(order) - (receivedCents - refundedCents),
    ),
  };
}

/** The money that refunds gave back beyond the price of their lines and the postage. */
const discrepancyCents = (order: OrderDocument): number =>
  sum(order.refunds, ({ lines, shippingCents, transactionId }) => {
    const given = order.transactions.find(({ id }) => id === transactionId)?.amountCents ?? 0;
    return Math.max(0, given - shippingCents - sum(lines, (line) => line.subtotalCents));
  });

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
