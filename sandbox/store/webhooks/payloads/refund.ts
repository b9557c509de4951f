import { globalId } from "../../state/global-id.ts";
import type { OrderDocument, RefundRecord, TransactionRecord } from "../../state/order.ts";
import type { ShopDocument } from "../../state/shop.ts";
import type { Tables } from "../../state/tables.ts";
import { shopTime } from "../shop-time.ts";
import { lineItemInRefund } from "./line-item.ts";
import { amount, moneySet } from "./money.ts";

/** refunds/create, and the refunds inside an order. */
export function refundPayload(
  order: OrderDocument,
  refund: RefundRecord,
  shop: ShopDocument,
  data: Tables,
) {
  const at = shopTime(refund.createdAt, shop.ianaTimezone);
  const lines = refund.lines.flatMap((entry) => {
    const line = order.lines.find((candidate) => candidate.id === entry.lineItemId);
    return line ? [{ entry, line }] : [];
  });
  return {
    id: refund.id,
    order_id: order.id,
    created_at: at,
    note: refund.note,
    user_id: shop.staff.id,
    processed_at: at,
    duties: [],
    total_duties_set: moneySet(0, order.currencyCode),
    return: null,
    refund_shipping_lines: [],
    restock: false,
    admin_graphql_api_id: globalId("Refund", refund.id),
    order_adjustments: [],
    refund_line_items: lines.map(({ entry, line }) => ({
      id: entry.id,
      quantity: entry.quantity,
      line_item_id: line.id,
      location_id: null,
      restock_type: "no_restock",
      subtotal: entry.subtotalCents / 100,
      total_tax: 0,
      subtotal_set: moneySet(entry.subtotalCents, order.currencyCode),
      total_tax_set: moneySet(0, order.currencyCode),
      line_item: lineItemInRefund(order, line, data),
    })),
    transactions: order.transactions
      .filter((transaction) => transaction.id === refund.transactionId)
      .map((transaction) => transactionPayload(order, transaction, shop)),
  };
}

function transactionPayload(order: OrderDocument, entry: TransactionRecord, shop: ShopDocument) {
  const at = shopTime(entry.createdAt, shop.ianaTimezone);
  const nothing = { amount: "0.0", currency: order.currencyCode };
  return {
    id: entry.id,
    order_id: order.id,
    kind: entry.kind.toLowerCase(),
    gateway: entry.gateway,
    status: entry.status.toLowerCase(),
    message: null,
    created_at: at,
    test: order.test,
    authorization: null,
    location_id: null,
    user_id: shop.staff.id,
    parent_id: entry.parentId,
    processed_at: at,
    device_id: null,
    error_code: null,
    source_name: "web",
    receipt: {},
    amount: amount(entry.amountCents),
    currency: order.currencyCode,
    payment_id: `${order.name}.1`,
    total_unsettled_set: { presentment_money: nothing, shop_money: nothing },
    manual_payment_gateway: false,
    amount_rounding: null,
    admin_graphql_api_id: globalId("OrderTransaction", entry.id),
  };
}
