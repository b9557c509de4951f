import {
  financialStatus,
  fulfilmentStatus,
  lineQuantities,
  orderAmounts,
} from "../orders/amounts.ts";
import type { AddressRecord, CustomerDocument } from "../state/customer.ts";
import type { DeliveryDocument } from "../state/delivery.ts";
import { globalId } from "../state/global-id.ts";
import type { MailDocument } from "../state/mail.ts";
import type { OrderDocument, RefundRecord } from "../state/order.ts";
import type { ProductDocument } from "../state/product.ts";
import { amount } from "../webhooks/payloads/money.ts";

// The control interface's answers: documents with global ids instead of numbers.

export const productAnswer = ({ shop: _shop, options, variants, ...product }: ProductDocument) => ({
  ...product,
  id: globalId("Product", product.id),
  legacyResourceId: product.id,
  options: options.map(({ name, values }) => ({ name, values })),
  variants: variants.map((variant) => ({
    ...variant,
    id: globalId("ProductVariant", variant.id),
    legacyResourceId: variant.id,
    inventoryItemId: globalId("InventoryItem", variant.inventoryItemId),
    price: amount(variant.priceCents),
  })),
});

const addressAnswer = (address: AddressRecord) => ({
  ...address,
  id: globalId("MailingAddress", address.id),
});

export const customerAnswer = ({
  shop: _shop,
  defaultAddressId,
  ...customer
}: CustomerDocument) => ({
  ...customer,
  id: globalId("Customer", customer.id),
  legacyResourceId: customer.id,
  addresses: customer.addresses.map(addressAnswer),
  defaultAddress:
    customer.addresses.filter((entry) => entry.id === defaultAddressId).map(addressAnswer)[0] ??
    null,
});

export function orderAnswer(order: OrderDocument) {
  const amounts = orderAmounts(order);
  return {
    id: globalId("Order", order.id),
    legacyResourceId: order.id,
    name: order.name,
    createdAt: order.createdAt,
    processedAt: order.processedAt,
    updatedAt: order.updatedAt,
    cancelledAt: order.cancelledAt,
    cancelReason: order.cancelReason,
    test: order.test,
    edited: order.edited,
    risk: order.riskLevel,
    riskLevel: order.riskLevel,
    customerId: order.customerId === null ? null : globalId("Customer", order.customerId),
    email: order.email,
    phone: order.phone,
    note: order.note,
    tags: order.tags,
    customAttributes: order.customAttributes,
    source: order.source ?? "web",
    returns: order.returns ?? [],
    currencyCode: order.currencyCode,
    financialStatus: financialStatus(order),
    fulfillmentStatus: fulfilmentStatus(order),
    totalPrice: amount(amounts.totalCents),
    currentTotalPrice: amount(amounts.currentTotalCents),
    outstanding: amount(amounts.outstandingCents),
    shippingAddress: order.shippingAddress && addressAnswer(order.shippingAddress),
    statusKey: order.statusKey,
    lines: order.lines.map((line) => ({
      id: globalId("LineItem", line.id),
      legacyResourceId: line.id,
      productId: line.productId === null ? null : globalId("Product", line.productId),
      variantId: line.variantId === null ? null : globalId("ProductVariant", line.variantId),
      title: line.title,
      variantTitle: line.variantTitle,
      sku: line.sku,
      quantity: line.quantity,
      currentQuantity: lineQuantities(order, line).current,
      refundableQuantity: lineQuantities(order, line).refundable,
      unfulfilledQuantity: lineQuantities(order, line).unfulfilled,
      price: amount(line.unitPriceCents),
    })),
    refunds: order.refunds.map((refund) => refundAnswer(refund)),
    fulfillments: order.fulfillments.map((entry) => ({
      id: globalId("Fulfillment", entry.id),
      createdAt: entry.createdAt,
      lines: entry.lines.map((line) => ({
        lineItemId: globalId("LineItem", line.lineItemId),
        quantity: line.quantity,
      })),
    })),
  };
}

export const refundAnswer = (refund: RefundRecord) => ({
  id: globalId("Refund", refund.id),
  legacyResourceId: refund.id,
  createdAt: refund.createdAt,
  note: refund.note,
  lines: refund.lines.map((line) => ({
    id: globalId("RefundLineItem", line.id),
    lineItemId: globalId("LineItem", line.lineItemId),
    quantity: line.quantity,
    subtotal: amount(line.subtotalCents),
  })),
});

export const deliveryAnswer = (delivery: DeliveryDocument) => ({
  id: delivery.id,
  eventId: delivery.eventId,
  topic: delivery.topic,
  shop: delivery.shop,
  url: delivery.url,
  triggeredAt: delivery.triggeredAt,
  /** The status of the last attempt; null before the first one or when nothing answered. */
  status: delivery.attempts.at(-1)?.status ?? null,
  attempts: delivery.attempts,
  nextAttemptAt:
    delivery.nextAttemptAtMs === null ? null : new Date(delivery.nextAttemptAtMs).toISOString(),
  dropped: delivery.dropped,
});

export const mailAnswer = ({
  id,
  from,
  to,
  subject,
  text,
  html,
  at,
  headers = {},
}: MailDocument) => ({
  id,
  from,
  to,
  subject,
  text,
  html,
  at,
  headers,
});
