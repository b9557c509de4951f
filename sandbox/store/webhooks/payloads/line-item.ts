import { lineQuantities } from "../../orders/amounts.ts";
import { globalId } from "../../state/global-id.ts";
import type { OrderDocument, OrderLineRecord } from "../../state/order.ts";
import type { Tables } from "../../state/tables.ts";
import { discountAllocations } from "./discounts.ts";
import { amount, moneySet } from "./money.ts";

/** A line inside an order. Inside a refund the same with fewer keys: {@link lineItemInRefund}. */
export function lineItem(order: OrderDocument, line: OrderLineRecord, data: Tables) {
  return {
    ...lineItemInRefund(order, line, data),
    attributed_staffs: [],
    current_quantity: lineQuantities(order, line).current,
    sales_line_item_group_id: null,
  };
}

export function lineItemInRefund(order: OrderDocument, line: OrderLineRecord, data: Tables) {
  const { unfulfilled, fulfilled } = lineQuantities(order, line);
  const price = moneySet(line.unitPriceCents, order.currencyCode);
  const name = line.variantTitle ? `${line.title} - ${line.variantTitle}` : line.title;
  return {
    id: line.id,
    variant_id: line.variantId,
    title: line.title,
    quantity: line.quantity,
    sku: line.sku,
    variant_title: line.variantTitle,
    vendor: line.vendor,
    fulfillment_service: line.isGiftCard ? "gift_card" : "manual",
    product_id: line.productId,
    requires_shipping: line.requiresShipping,
    taxable: line.taxable,
    gift_card: line.isGiftCard,
    name,
    variant_inventory_management: null,
    properties: line.customAttributes.map(({ key, value }) => ({ name: key, value })),
    product_exists: line.productId !== null && data.products.get(line.productId) !== undefined,
    fulfillable_quantity: unfulfilled,
    grams: line.weightGrams,
    price: amount(line.unitPriceCents),
    total_discount: amount(0),
    fulfillment_status: fulfilled === 0 ? null : unfulfilled === 0 ? "fulfilled" : "partial",
    price_set: price,
    total_discount_set: moneySet(0, order.currencyCode),
    discount_allocations: discountAllocations(line, order.currencyCode),
    duties: [],
    admin_graphql_api_id: globalId("LineItem", line.id),
    tax_lines: [],
  };
}
