import type { Environment } from "../connections/connection.ts";
import type { LineItemId, OrderId, ProductId, VariantId } from "../ids.ts";
import type { MappingState } from "../orders/order.ts";
import type { Stage } from "./stage.ts";

/** A variant that was bought while nobody had said what it means. */
export interface UnmappedSale {
  variantId: VariantId;
  productId: ProductId | null;
  title: string;
  orders: number;
}

export const ORDER_FILTERS = [
  "all",
  "attention",
  "awaiting_details",
  "in_progress",
  "results_ready",
] as const;
export type OrderFilter = (typeof ORDER_FILTERS)[number];

/** Where a page begins: an opaque text that an earlier page gave. */
export type PageStart = { after: string } | { before: string } | null;

export interface OrderQuery {
  filter: OrderFilter;
  /** Beginning of an order's name, with or without its "#"; empty for every order. */
  search: string;
  start: PageStart;
  size: number;
}

export interface OrderSummary {
  orderId: OrderId;
  name: string;
  paidAt: Date;
  test: boolean;
  cancelledAt: Date | null;
  /** One reason why a person is needed: the order's own, else one of its requests'. */
  attention: string | null;
  /** Requests by stage; stages without any are left out. */
  stages: { stage: Stage; count: number }[];
}

export interface OrderPage {
  /** Newest payment first. */
  orders: OrderSummary[];
  previous: string | null;
  next: string | null;
}

export interface OrderHeader {
  orderId: OrderId;
  name: string;
  paidAt: Date;
  readAt: Date;
  test: boolean;
  cancelledAt: Date | null;
  attention: string | null;
  lines: OrderLineHeader[];
}

export interface OrderLineHeader {
  lineItemId: LineItemId;
  variantId: VariantId | null;
  title: string;
  sku: string | null;
  quantity: number;
  currentQuantity: number;
  mappingState: MappingState;
}

export interface AttentionItem {
  orderId: OrderId;
  orderName: string;
  paidAt: Date;
  reason: string;
  /** How many requests of the order share the reason; 0 when it is the order's own. */
  requests: number;
}

export interface DayOfRequests {
  /** YYYY-MM-DD */
  day: string;
  stage: Stage;
  count: number;
}

/** What staff look at. Reads only, and no health or identity data. */
export interface OverviewRepository {
  unmappedSales(): Promise<UnmappedSale[]>;
  orderPage(query: OrderQuery): Promise<OrderPage>;
  order(orderId: OrderId): Promise<OrderHeader | null>;
  stageCounts(): Promise<Record<Stage, number>>;
  /** Requests of orders paid since a moment, by day in a time zone and by the stage they are in now. */
  requestsByDay(since: Date, timeZone: string): Promise<DayOfRequests[]>;
  setup(environment: Environment): Promise<{ hasMapping: boolean; hasReferral: boolean }>;
  /** How many orders need a person. */
  ordersInNeed(): Promise<number>;
  /** Newest payment first. */
  attention(limit: number): Promise<AttentionItem[]>;
}
