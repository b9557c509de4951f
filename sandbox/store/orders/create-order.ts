import { randomBytes } from "node:crypto";
import { createCustomer, findCustomerByEmail } from "../customers/create-customer.ts";
import type { Platform } from "../platform.ts";
import { Refusal } from "../refusal.ts";
import type { AddressRecord, CustomerDocument } from "../state/customer.ts";
import { nextId } from "../state/next-id.ts";
import type { OrderDocument, OrderSource, TransactionRecord } from "../state/order.ts";
import type { ShopDocument } from "../state/shop.ts";
import { orderPayload } from "../webhooks/payloads/order.ts";
import { publish } from "../webhooks/publish.ts";
import { netCents } from "./amounts.ts";
import { applyDiscounts, type NewDiscount } from "./discounts.ts";
import { newFulfillmentOrder } from "./fulfillment-orders.ts";
import { type NewLine, newLine } from "./line-from-variant.ts";
import { shippingRate } from "./shipping.ts";

export interface NewOrder {
  customerId?: number | null;
  email?: string | null;
  phone?: string | null;
  lines: NewLine[];
  discounts?: NewDiscount[];
  /** So much of the price is paid by a gift card. */
  giftCardCents?: number;
  /** False: nothing is paid yet, as of a draft order that was completed before its money came. */
  paid?: boolean;
  source?: OrderSource;
  shippingAddress?: Omit<AddressRecord, "id"> | null;
  /** The shipping address unless told otherwise. */
  billingAddress?: Omit<AddressRecord, "id"> | null;
  test?: boolean;
  note?: string | null;
  tags?: string[];
  customAttributes?: { key: string; value: string }[];
  riskLevel?: OrderDocument["riskLevel"];
  createdAt?: string;
  /** When it was placed, where that was elsewhere: an order that an import brings along. */
  processedAt?: string;
}

/**
 * Makes an order and tells the app: orders/create, then orders/paid unless its money is still to come.
 * A buyer known by customer id or email address is that customer; a new address becomes a customer, as at checkout.
 * Throws {@link Refusal} when a variant or the customer does not exist.
 */
export function createOrder(
  platform: Platform,
  shop: ShopDocument,
  input: NewOrder,
): OrderDocument {
  const { data, clock } = platform;
  const now = input.createdAt ?? clock.nowIso();
  const buyer = buyerOf(platform, shop, input);
  const address = input.shippingAddress ? { id: nextId(data), ...input.shippingAddress } : null;
  const billing = input.billingAddress ? { id: nextId(data), ...input.billingAddress } : null;
  const home = address ?? defaultAddress(buyer);
  const { lines, discounts } = applyDiscounts(
    input.lines.map((line) => newLine(platform, shop, line)),
    input.discounts ?? [],
  );
  const rate = shippingRate(lines);
  const shipping = rate && { id: nextId(data), ...rate };
  const orderNumber = takeOrderNumber(platform, shop);
  const amountCents =
    lines.reduce((cents, line) => cents + netCents(line, line.quantity), 0) +
    (shipping?.priceCents ?? 0);
  const order = data.orders.put({
    id: nextId(data),
    shop: shop.id,
    name: `#${orderNumber}`,
    orderNumber,
    createdAt: now,
    processedAt: input.processedAt ?? now,
    updatedAt: now,
    cancelledAt: null,
    cancelReason: null,
    closedAt: null,
    test: input.test ?? false,
    currencyCode: shop.currencyCode,
    customerId: buyer?.id ?? null,
    email: input.email ?? buyer?.email ?? null,
    phone: input.phone ?? null,
    note: input.note ?? null,
    tags: input.tags ?? [],
    customAttributes: input.customAttributes ?? [],
    shippingAddress: address ?? (shipping ? home : null), // nothing to ship: the checkout asks for no address
    billingAddress: billing ?? home,
    lines,
    shipping,
    source: input.source ?? "web",
    discounts,
    returns: [],
    transactions: (input.paid ?? true) ? payments(platform, input, { amountCents, now }) : [],
    refunds: [],
    fulfillmentOrders: [newFulfillmentOrder(platform, lines, now)],
    fulfillments: [],
    edited: false,
    riskLevel: input.riskLevel ?? "LOW",
    token: randomBytes(16).toString("hex"),
    statusKey: randomBytes(16).toString("hex"),
  });
  const payload = orderPayload(platform, shop, order);
  publish(platform, shop, "orders/create", payload);
  if (input.paid ?? true) publish(platform, shop, "orders/paid", payload);
  return order;
}

/** A gift card pays first, a card the rest. What costs nothing has no payment. */
function payments(
  platform: Platform,
  input: NewOrder,
  { amountCents, now }: { amountCents: number; now: string },
): TransactionRecord[] {
  const byGiftCard = Math.min(amountCents, input.giftCardCents ?? 0);
  const paid = [
    { gateway: "gift_card", cents: byGiftCard },
    { gateway: input.test ? "bogus" : "shopify_payments", cents: amountCents - byGiftCard },
  ];
  return paid
    .filter(({ cents }) => cents > 0)
    .map(({ gateway, cents }) => ({
      id: nextId(platform.data),
      kind: "SALE",
      status: "SUCCESS",
      gateway,
      amountCents: cents,
      parentId: null,
      createdAt: now,
    }));
}

function buyerOf(
  platform: Platform,
  shop: ShopDocument,
  input: NewOrder,
): CustomerDocument | undefined {
  if (input.customerId) {
    const known = platform.data.customers.get(input.customerId);
    if (!known || known.shop !== shop.id) throw new Refusal(404, "there is no such customer");
    return known;
  }
  if (!input.email) return undefined;
  const known = findCustomerByEmail(platform, shop, input.email);
  if (known) return known;
  const address = input.shippingAddress ?? input.billingAddress;
  return createCustomer(platform, shop, {
    email: input.email,
    firstName: address?.firstName ?? null,
    lastName: address?.lastName ?? null,
    phone: null,
    addresses: address ? [address] : [],
  });
}

const defaultAddress = (customer: CustomerDocument | undefined): AddressRecord | null =>
  customer?.addresses.find((address) => address.id === customer.defaultAddressId) ?? null;

function takeOrderNumber(platform: Platform, shop: ShopDocument): number {
  const current = platform.data.shops.get(shop.id) ?? shop;
  platform.data.shops.put({ ...current, nextOrderNumber: current.nextOrderNumber + 1 });
  return current.nextOrderNumber;
}
