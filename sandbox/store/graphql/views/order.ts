import {
  financialStatus,
  fulfilmentStatus,
  lineQuantities,
  orderAmounts,
} from "../../orders/amounts.ts";
import { returnStatus } from "../../orders/return-units.ts";
import { globalId } from "../../state/global-id.ts";
import type { OrderDocument } from "../../state/order.ts";
import { listConnection, type PageArguments } from "../connection.ts";
import type { Caller } from "../context.ts";
import type { View } from "../view.ts";
import { addressView } from "./address.ts";
import { customerView } from "./customer.ts";
import { discountView } from "./discount.ts";
import { fulfillmentOrdersConnection, fulfillmentView } from "./fulfillment.ts";
import { lineItemView } from "./line-item.ts";
import { metafieldFields } from "./metafield.ts";
import { moneyBag } from "./money.ts";
import { refundView, transactionView } from "./refund.ts";
import { riskView } from "./risk.ts";

/** Order */
export function orderView(caller: Caller, order: OrderDocument): View {
  const { data, origin } = caller.platform;
  const whole = () => orderView(caller, order);
  const id = globalId("Order", order.id);
  const amounts = orderAmounts(order);
  const money = (cents: number) => moneyBag(cents, order.currencyCode);
  const paid = financialStatus(order);
  const codes = (order.discounts ?? []).flatMap(({ code }) => code ?? []);
  const shipping = order.shipping
    ? {
        __typename: "ShippingLine",
        id: globalId("ShippingLine", order.shipping.id),
        title: order.shipping.title,
        code: order.shipping.title,
        source: "shopify",
        custom: false,
        isRemoved: false,
        originalPriceSet: money(order.shipping.priceCents),
        discountedPriceSet: money(order.shipping.priceCents),
        currentDiscountedPriceSet: money(amounts.currentShippingCents),
      }
    : null;
  return {
    __typename: "Order",
    id,
    legacyResourceId: String(order.id),
    name: order.name,
    number: order.orderNumber,
    confirmationNumber: null,
    confirmed: true,
    createdAt: order.createdAt,
    processedAt: order.processedAt,
    updatedAt: order.updatedAt,
    cancelledAt: order.cancelledAt,
    cancelReason: order.cancelReason,
    cancellation: order.cancelledAt === null ? null : { staffNote: null },
    closed: order.closedAt !== null,
    closedAt: order.closedAt,
    test: order.test,
    edited: order.edited,
    note: order.note,
    tags: order.tags,
    email: order.email,
    phone: order.phone,
    customerLocale: "en-AU",
    customAttributes: order.customAttributes,
    currencyCode: order.currencyCode,
    presentmentCurrencyCode: order.currencyCode,
    displayFinancialStatus: paid,
    displayFulfillmentStatus: fulfilmentStatus(order),
    returnStatus: returnStatus(order),
    fullyPaid: amounts.outstandingCents === 0,
    unpaid: amounts.receivedCents === 0 && amounts.totalCents > 0,
    refundable: order.lines.some((line) => lineQuantities(order, line).refundable > 0),
    capturable: false,
    requiresShipping: order.lines.some((line) => line.requiresShipping),
    taxesIncluded: true,
    taxExempt: false,
    discountCode: codes[0] ?? null,
    discountCodes: codes,
    discountApplications: (args: PageArguments) =>
      listConnection(order.discounts ?? [], args, (discount) =>
        discountView(order, discount, order.discounts?.indexOf(discount) ?? 0),
      ),
    poNumber: null,
    sourceName: order.source ?? "web",
    sourceIdentifier: null,
    paymentGatewayNames: [...new Set(order.transactions.map((entry) => entry.gateway))],
    statusPageUrl: `${origin}/account/orders/${order.id}?key=${order.statusKey}`,
    subtotalLineItemsQuantity: order.lines.reduce((sum, line) => sum + line.quantity, 0),
    currentSubtotalLineItemsQuantity: order.lines.reduce(
      (sum, line) => sum + lineQuantities(order, line).current,
      0,
    ),
    subtotalPriceSet: money(amounts.subtotalCents),
    totalShippingPriceSet: money(amounts.shippingCents),
    totalTaxSet: money(0),
    totalDiscountsSet: money(amounts.discountsCents),
    totalPriceSet: money(amounts.totalCents),
    originalTotalPriceSet: money(amounts.totalCents),
    currentSubtotalPriceSet: money(amounts.currentSubtotalCents),
    currentShippingPriceSet: money(amounts.currentShippingCents),
    currentTotalPriceSet: money(amounts.currentTotalCents),
    currentTotalTaxSet: money(0),
    currentTotalDiscountsSet: money(amounts.currentDiscountsCents),
    totalOutstandingSet: money(amounts.outstandingCents),
    totalReceivedSet: money(amounts.receivedCents),
    totalRefundedSet: money(amounts.refundedCents),
    totalRefundedShippingSet: money(amounts.refundedShippingCents),
    netPaymentSet: money(amounts.receivedCents - amounts.refundedCents),
    shippingAddress: order.shippingAddress ? addressView(order.shippingAddress) : null,
    billingAddress: order.billingAddress ? addressView(order.billingAddress) : null,
    displayAddress: order.shippingAddress ? addressView(order.shippingAddress) : null,
    billingAddressMatchesShippingAddress: true,
    shippingLine: shipping,
    shippingLines: (args: PageArguments) =>
      listConnection(shipping ? [shipping] : [], args, (line) => line),
    customer: () => {
      const customer = order.customerId === null ? undefined : data.customers.get(order.customerId);
      return customer ? customerView(caller, customer, orderView) : null;
    },
    lineItems: (args: PageArguments) =>
      listConnection(order.lines, args, (line) => lineItemView(caller, order, line)),
    refunds: ({ first }: { first?: number | null }) =>
      order.refunds
        .slice(0, first ?? undefined)
        .map((refund) => refundView(caller, order, refund, whole)),
    transactions: ({ first }: { first?: number | null }) =>
      order.transactions
        .slice(0, first ?? undefined)
        .map((entry) => transactionView(order, entry, whole)),
    fulfillments: ({ first }: { first?: number | null }) =>
      order.fulfillments
        .slice(0, first ?? undefined)
        .map((entry) => fulfillmentView(caller, order, entry, whole)),
    fulfillmentOrders: (args: PageArguments & { query?: string | null }) =>
      fulfillmentOrdersConnection(caller, order, args, whole),
    risk: riskView(order),
    ...metafieldFields(caller, id, whole),
  };
}
