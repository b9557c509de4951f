import { globalId } from "../../state/global-id.ts";
import type { OrderDocument, RefundRecord, TransactionRecord } from "../../state/order.ts";
import { listConnection, type PageArguments } from "../connection.ts";
import type { Caller } from "../context.ts";
import type { View } from "../view.ts";
import { lineItemView } from "./line-item.ts";
import { moneyBag } from "./money.ts";

/** Refund; `whole` shows its order. */
export function refundView(
  caller: Caller,
  order: OrderDocument,
  refund: RefundRecord,
  whole: () => View,
): View {
  const transactions = order.transactions.filter((entry) => entry.id === refund.transactionId);
  const totalCents = transactions.reduce((cents, entry) => cents + entry.amountCents, 0);
  return {
    __typename: "Refund",
    id: globalId("Refund", refund.id),
    legacyResourceId: String(refund.id),
    createdAt: refund.createdAt,
    processedAt: refund.createdAt,
    updatedAt: refund.createdAt,
    note: refund.note,
    return: null,
    duties: [],
    totalRefundedSet: moneyBag(totalCents, order.currencyCode),
    order: whole,
    transactions: (args: PageArguments) =>
      listConnection(transactions, args, (entry) => transactionView(order, entry, whole)),
    refundLineItems: (args: PageArguments) =>
      listConnection(refund.lines, args, (entry) => refundLineView(caller, order, entry)),
  };
}

function refundLineView(
  caller: Caller,
  order: OrderDocument,
  entry: RefundRecord["lines"][number],
): View {
  const line = order.lines.find((candidate) => candidate.id === entry.lineItemId);
  const unitCents = entry.quantity === 0 ? 0 : entry.subtotalCents / entry.quantity;
  return {
    __typename: "RefundLineItem",
    id: globalId("RefundLineItem", entry.id),
    quantity: entry.quantity,
    restocked: false,
    restockType: "NO_RESTOCK",
    location: null,
    priceSet: moneyBag(unitCents, order.currencyCode),
    subtotalSet: moneyBag(entry.subtotalCents, order.currencyCode),
    totalTaxSet: moneyBag(0, order.currencyCode),
    lineItem: () => (line ? lineItemView(caller, order, line) : null),
  };
}

/** OrderTransaction; `whole` shows its order. */
export const transactionView = (
  order: OrderDocument,
  entry: TransactionRecord,
  whole: () => View,
): View => ({
  __typename: "OrderTransaction",
  id: globalId("OrderTransaction", entry.id),
  kind: entry.kind,
  status: entry.status,
  gateway: entry.gateway,
  formattedGateway: entry.gateway === "bogus" ? "(for testing) Bogus Gateway" : "Shopify Payments",
  test: order.test,
  errorCode: null,
  createdAt: entry.createdAt,
  processedAt: entry.createdAt,
  amountSet: moneyBag(entry.amountCents, order.currencyCode),
  manualPaymentGateway: false,
  order: whole,
});
