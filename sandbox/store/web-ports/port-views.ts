import {
  financialStatus,
  fulfilmentStatus,
  lineQuantities,
  orderAmounts,
} from "../orders/amounts.ts";
import type { Platform } from "../platform.ts";
import type { AddressRecord, CustomerDocument } from "../state/customer.ts";
import type { DeliveryDocument } from "../state/delivery.ts";
import { globalId } from "../state/global-id.ts";
import type { OrderDocument } from "../state/order.ts";
import type { ProductDocument } from "../state/product.ts";
import type {
  StoreAddress,
  StoreCustomer,
  StoreDelivery,
  StoreMetafield,
  StoreOrder,
  StoreProduct,
} from "../web/ports.ts";

const metafieldsOf = (platform: Platform, ownerId: string): StoreMetafield[] =>
  platform.data.metafields
    .all()
    .filter((field) => field.ownerId === ownerId)
    .map(({ namespace, key, type, value }) => ({ namespace, key, type, value }));

export function productPort(platform: Platform, product: ProductDocument): StoreProduct {
  const id = globalId("Product", product.id);
  return {
    id,
    handle: product.handle,
    title: product.title,
    descriptionHtml: product.descriptionHtml,
    vendor: product.vendor,
    productType: product.productType,
    tags: product.tags,
    status: product.status,
    variants: product.variants.map((variant) => ({
      id: globalId("ProductVariant", variant.id),
      title: variant.title,
      sku: variant.sku,
      priceCents: variant.priceCents,
      available: true,
      requiresShipping: variant.requiresShipping,
    })),
    metafields: metafieldsOf(platform, id),
  };
}

export function orderPort(platform: Platform, order: OrderDocument): StoreOrder {
  const id = globalId("Order", order.id);
  const amounts = orderAmounts(order);
  return {
    id,
    name: order.name,
    customerId: order.customerId === null ? null : globalId("Customer", order.customerId),
    email: order.email,
    phone: order.phone,
    createdAt: order.createdAt,
    cancelledAt: order.cancelledAt,
    test: order.test,
    financialStatus: financialStatus(order),
    fulfilmentStatus: fulfilmentStatus(order),
    currencyCode: order.currencyCode,
    subtotalCents: amounts.currentSubtotalCents,
    shippingCents: order.shipping && amounts.currentShippingCents,
    totalCents: amounts.currentTotalCents,
    shippingAddress: order.shippingAddress && addressPort(order.shippingAddress),
    billingAddress: order.billingAddress && addressPort(order.billingAddress),
    lines: order.lines.map((line) => ({
      id: globalId("LineItem", line.id),
      title: line.title,
      variantTitle: line.variantTitle,
      sku: line.sku,
      productId: line.productId === null ? null : globalId("Product", line.productId),
      variantId: line.variantId === null ? null : globalId("ProductVariant", line.variantId),
      requiresShipping: line.requiresShipping,
      quantity: line.quantity,
      currentQuantity: lineQuantities(order, line).current,
      unitPriceCents: line.unitPriceCents,
    })),
    tags: order.tags,
    note: order.note,
    metafields: metafieldsOf(platform, id),
    statusKey: order.statusKey,
  };
}

export function customerPort(customer: CustomerDocument): StoreCustomer {
  const home = customer.addresses.find((address) => address.id === customer.defaultAddressId);
  return {
    id: globalId("Customer", customer.id),
    email: customer.email,
    phone: customer.phone,
    firstName: customer.firstName,
    lastName: customer.lastName,
    defaultAddress: home ? addressPort(home) : null,
  };
}

const addressPort = (address: AddressRecord): StoreAddress => ({
  firstName: address.firstName ?? "",
  lastName: address.lastName ?? "",
  company: address.company,
  address1: address.address1 ?? "",
  address2: address.address2,
  city: address.city ?? "",
  provinceCode: address.provinceCode ?? "",
  zip: address.zip ?? "",
  countryCode: address.countryCode ?? "",
  phone: address.phone,
});

export const deliveryPort = (platform: Platform, delivery: DeliveryDocument): StoreDelivery => ({
  id: delivery.id,
  topic: delivery.topic,
  url: delivery.url,
  status: delivery.attempts.at(-1)?.status ?? null,
  nextAttemptAt:
    delivery.nextAttemptAtMs === null ? null : new Date(delivery.nextAttemptAtMs).toISOString(),
  attempts: delivery.attempts,
  triggeredAt: delivery.triggeredAt,
  // A getter: the log is long, and a signature is made for the delivery that somebody looks at.
  get headers() {
    return platform.webhooks.headers(delivery);
  },
  payload: delivery.payload,
});
