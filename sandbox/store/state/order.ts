import type { AddressRecord } from "./customer.ts";

export interface OrderDocument {
  id: number;
  shop: string;
  /** `#1001` */
  name: string;
  orderNumber: number;
  createdAt: string;
  processedAt: string;
  updatedAt: string;
  cancelledAt: string | null;
  cancelReason: CancelReason | null;
  closedAt: string | null;
  test: boolean;
  currencyCode: string;
  /** Where it was placed: `web`, or `shopify_draft_order` for a draft that staff completed. */
  source?: OrderSource;
  discounts?: DiscountRecord[];
  returns?: ReturnRecord[];
  customerId: number | null;
  email: string | null;
  phone: string | null;
  note: string | null;
  tags: string[];
  customAttributes: { key: string; value: string }[];
  shippingAddress: AddressRecord | null;
  billingAddress: AddressRecord | null;
  lines: OrderLineRecord[];
  shipping: { id: number; title: string; priceCents: number } | null;
  transactions: TransactionRecord[];
  refunds: RefundRecord[];
  fulfillmentOrders: FulfillmentOrderRecord[];
  fulfillments: FulfillmentRecord[];
  edited: boolean;
  riskLevel: "NONE" | "LOW" | "MEDIUM" | "HIGH" | "PENDING";
  /** Public token of the order, and the unguessable key of its status link. */
  token: string;
  statusKey: string;
}

export type OrderSource = "web" | "shopify_draft_order";

/** A discount as it was granted; what each line got of it is in {@link OrderLineRecord.discounts}. */
export interface DiscountRecord {
  /** The code that the buyer typed; null: staff took it off the price. */
  code: string | null;
  title: string;
  /** Off the lines that it names, or off the order as a whole. */
  target: "line" | "order";
  valueType: "percentage" | "fixed_amount";
  /** Per cent, or cents. */
  value: number;
}

/** Units that the buyer sends back. Money comes back by a refund of its own, if at all. */
export interface ReturnRecord {
  id: number;
  name: string;
  createdAt: string;
  status: "OPEN" | "CLOSED" | "CANCELED";
  lines: { id: number; lineItemId: number; quantity: number }[];
  /** Whether the units count as gone while the return is open (docs/decisions/0065). */
  lowersQuantity: boolean;
}

export type CancelReason = "CUSTOMER" | "DECLINED" | "FRAUD" | "INVENTORY" | "OTHER" | "STAFF";

export interface OrderLineRecord {
  id: number;
  productId: number | null;
  variantId: number | null;
  title: string;
  variantTitle: string | null;
  sku: string | null;
  vendor: string | null;
  /** Units ordered, including units that an edit added; never falls. */
  quantity: number;
  /** Units taken off by an order edit. */
  removedQuantity: number;
  unitPriceCents: number;
  /** What was taken off for so many units, by number of the order's discount. */
  discounts?: { discount: number; cents: number; units: number }[];
  requiresShipping: boolean;
  taxable: boolean;
  isGiftCard: boolean;
  weightGrams: number;
  customAttributes: { key: string; value: string }[];
}

export interface TransactionRecord {
  id: number;
  kind: "SALE" | "REFUND";
  status: "SUCCESS";
  gateway: string;
  amountCents: number;
  parentId: number | null;
  createdAt: string;
}

export interface RefundRecord {
  id: number;
  createdAt: string;
  note: string | null;
  lines: {
    id: number;
    lineItemId: number;
    quantity: number;
    subtotalCents: number;
    /** How many of them had been fulfilled, and came back. */
    fulfilledUnits?: number;
  }[];
  /** The return that it pays for. */
  returnId?: number | null;
  shippingCents: number;
  transactionId: number | null;
}

export interface FulfillmentOrderRecord {
  id: number;
  createdAt: string;
  updatedAt: string;
  lines: { id: number; lineItemId: number; totalQuantity: number; fulfilledQuantity: number }[];
}

export interface FulfillmentRecord {
  id: number;
  name: string;
  createdAt: string;
  updatedAt: string;
  fulfillmentOrderIds: number[];
  lines: { id: number; lineItemId: number; quantity: number }[];
  trackingCompany: string | null;
  trackingNumber: string | null;
  trackingUrl: string | null;
}
