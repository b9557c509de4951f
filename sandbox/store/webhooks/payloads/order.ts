import { financialStatus, fulfilmentStatus, orderAmounts } from "../../orders/amounts.ts";
import type { Platform } from "../../platform.ts";
import { globalId } from "../../state/global-id.ts";
import type { OrderDocument } from "../../state/order.ts";
import type { ShopDocument } from "../../state/shop.ts";
import { shopTime } from "../shop-time.ts";
import { orderAddress } from "./address.ts";
import { customerInOrder } from "./customer.ts";
import { discountApplications, discountCodes } from "./discounts.ts";
import { fulfillmentInOrder } from "./fulfillment.ts";
import { lineItem } from "./line-item.ts";
import { amount, moneySet } from "./money.ts";
import { refundPayload } from "./refund.ts";

/** Shopify's own app that drafts are completed with. */
const DRAFT_ORDERS_APP = 1354745;

/** Every orders/* topic that carries a whole order. The order of the keys is that of the published example. */
export function orderPayload(platform: Platform, shop: ShopDocument, order: OrderDocument) {
  const { data } = platform;
  const time = (iso: string) => shopTime(iso, shop.ianaTimezone);
  const timeOrNull = (iso: string | null) => (iso === null ? null : time(iso));
  const money = (cents: number) => moneySet(cents, order.currencyCode);
  const amounts = orderAmounts(order);
  const customer = order.customerId === null ? undefined : data.customers.get(order.customerId);
  const fulfilment = fulfilmentStatus(order);
  return {
    id: order.id,
    admin_graphql_api_id: globalId("Order", order.id),
    app_id: order.source === "shopify_draft_order" ? DRAFT_ORDERS_APP : null,
    browser_ip: null,
    buyer_accepts_marketing: false,
    cancel_reason: order.cancelReason?.toLowerCase() ?? null,
    cancelled_at: timeOrNull(order.cancelledAt),
    cart_token: null,
    checkout_token: null,
    client_details: null,
    closed_at: timeOrNull(order.closedAt),
    confirmation_number: null,
    confirmed: true,
    contact_email: order.email,
    created_at: time(order.createdAt),
    currency: order.currencyCode,
    current_shipping_price_set: money(amounts.currentShippingCents),
    current_subtotal_price: amount(amounts.currentSubtotalCents),
    current_subtotal_price_set: money(amounts.currentSubtotalCents),
    current_total_additional_fees_set: null,
    current_total_discounts: amount(amounts.currentDiscountsCents),
    current_total_discounts_set: money(amounts.currentDiscountsCents),
    current_total_duties_set: null,
    current_total_price: amount(amounts.currentTotalCents),
    current_total_price_set: money(amounts.currentTotalCents),
    current_total_tax: amount(0),
    current_total_tax_set: money(0),
    customer_locale: "en-AU",
    device_id: null,
    discount_codes: discountCodes(order),
    duties_included: false,
    email: order.email,
    estimated_taxes: false,
    financial_status: financialStatus(order).toLowerCase(),
    fulfillment_status:
      fulfilment === "FULFILLED" ? "fulfilled" : fulfilment === "UNFULFILLED" ? null : "partial",
    landing_site: null,
    landing_site_ref: null,
    location_id: null,
    merchant_business_entity_id: `MTU0${shop.numericId}`,
    merchant_of_record_app_id: null,
    name: order.name,
    note: order.note,
    note_attributes: order.customAttributes.map(({ key, value }) => ({ name: key, value })),
    number: order.orderNumber - 1000,
    order_number: order.orderNumber,
    order_status_url: `${platform.origin}/account/orders/${order.id}?key=${order.statusKey}`,
    original_total_additional_fees_set: null,
    original_total_duties_set: null,
    payment_gateway_names: [...new Set(order.transactions.map((entry) => entry.gateway))],
    phone: order.phone,
    po_number: null,
    presentment_currency: order.currencyCode,
    processed_at: time(order.processedAt),
    reference: null,
    referring_site: null,
    source_identifier: null,
    source_name: order.source ?? "web",
    source_url: null,
    subtotal_price: amount(amounts.subtotalCents),
    subtotal_price_set: money(amounts.subtotalCents),
    tags: order.tags.join(", "),
    tax_exempt: false,
    tax_lines: [],
    taxes_included: true,
    test: order.test,
    token: order.token,
    total_cash_rounding_payment_adjustment_set: money(0),
    total_cash_rounding_refund_adjustment_set: money(0),
    total_discounts: amount(amounts.discountsCents),
    total_discounts_set: money(amounts.discountsCents),
    total_line_items_price: amount(amounts.subtotalCents + amounts.discountsCents),
    total_line_items_price_set: money(amounts.subtotalCents + amounts.discountsCents),
    total_outstanding: amount(amounts.outstandingCents),
    total_price: amount(amounts.totalCents),
    total_price_set: money(amounts.totalCents),
    total_shipping_price_set: money(amounts.shippingCents),
    total_tax: amount(0),
    total_tax_set: money(0),
    total_tip_received: amount(0),
    total_weight: order.lines.reduce((grams, line) => grams + line.weightGrams * line.quantity, 0),
    updated_at: time(order.updatedAt),
    user_id: null,
    billing_address: order.billingAddress ? orderAddress(order.billingAddress) : null,
    customer: customer ? customerInOrder(customer, shop) : null,
    discount_applications: discountApplications(order),
    fulfillments: order.fulfillments.map((entry) => fulfillmentInOrder(order, entry, shop, data)),
    line_items: order.lines.map((line) => lineItem(order, line, data)),
    payment_terms: null,
    refunds: order.refunds.map((refund) => refundPayload(order, refund, shop, data)),
    shipping_address: order.shippingAddress ? orderAddress(order.shippingAddress) : null,
    shipping_lines: order.shipping ? [shippingLine(order.shipping, money)] : [],
    returns: [],
    line_item_groups: [],
  };
}

function shippingLine(
  shipping: NonNullable<OrderDocument["shipping"]>,
  money: (cents: number) => ReturnType<typeof moneySet>,
) {
  return {
    id: shipping.id,
    carrier_identifier: null,
    code: shipping.title,
    current_discounted_price_set: money(shipping.priceCents),
    discounted_price: amount(shipping.priceCents),
    discounted_price_set: money(shipping.priceCents),
    is_removed: false,
    phone: null,
    price: amount(shipping.priceCents),
    price_set: money(shipping.priceCents),
    requested_fulfillment_service_id: null,
    source: "shopify",
    title: shipping.title,
    tax_lines: [],
    discount_allocations: [],
  };
}
