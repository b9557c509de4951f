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
  lines: { id: number; lineItemId: number; quantity: number; subtotalCents: number }[];
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
