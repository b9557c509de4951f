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
  "cancelled",
] as const;
export type OrderFilter = (typeof ORDER_FILTERS)[number];

/** Where an order's tests are ordered, and whether its payment was only one of Shopify's test payments. */
export const LANES = ["production", "staging", "test"] as const;
export type Lane = (typeof LANES)[number];

/** Where a page begins: an opaque text that an earlier page gave. */
export type PageStart = { after: string } | { before: string } | null;

/** Days are told in this time zone until the shop's own is read from Shopify. */
export const TIME_ZONE = "Australia/Sydney";

export interface OrderSelection {
  filter: OrderFilter;
  lane: Lane | null;
  /** Paid on this day or later, and on this day or earlier: YYYY-MM-DD in TIME_ZONE. */
  paidFrom: string | null;
  paidUntil: string | null;
  /**
   * Beginning of an order's number, a reference number of ours, or the service's reference of a referral. Looks
   * through every order, whatever else is selected, and lists by number. Empty: no search.
   */
  search: string;
}

export interface OrderQuery extends OrderSelection {
  start: PageStart;
  size: number;
}

export interface OrderSummary {
  orderId: OrderId;
  name: string;
  paidAt: Date;
  test: boolean;
  lane: Lane;
  cancelledAt: Date | null;
  /** One reason why a person is needed: the order's own, else one of its requests'. */
  attention: string | null;
  /** Requests by stage; stages without any are left out. */
  stages: { stage: Stage; count: number }[];
}

export interface OrderPage {
  /** Newest payment first; by number when searched for. */
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

/** One reason why one order needs a person. */
export interface AttentionItem {
  orderId: OrderId;
  orderName: string;
  paidAt: Date;
  reason: string;
  /** The requests of the order that share the reason; none when it is the order's own. */
  requestIds: string[];
}

export interface DayOfRequests {
  /** YYYY-MM-DD */
  day: string;
  stage: Stage;
  count: number;
}

/** Numbers above this are not counted out: "1,000+" says enough, and costs the same in every shop. */
export const COUNT_LIMIT = 1000;

/** A referral whose form was issued and for which no result has come. */
export interface AgeingReferral {
  orderId: OrderId;
  orderName: string;
  title: string;
  environment: Environment;
  issuedAt: Date;
  bundleId: string | null;
  tests: string[];
}

/** A row of the export: ids, dates and states. Nobody's name and nothing clinical. */
export interface ExportedRequest {
  orderName: string;
  orderId: string;
  lane: Lane;
  paidAt: Date;
  cancelledAt: Date | null;
  unit: number | null;
  generation: number | null;
  referenceNumber: string | null;
  stage: Stage | null;
  state: string | null;
  references: string[];
}

/** What staff look at. Reads only, and no health or identity data. */
export interface OverviewRepository {
  unmappedSales(): Promise<UnmappedSale[]>;
  orderPage(query: OrderQuery): Promise<OrderPage>;
  order(orderId: OrderId): Promise<OrderHeader | null>;
  /** Orders that have a request in each stage; COUNT_LIMIT + 1 means more. */
  stageCounts(): Promise<Record<Stage, number>>;
  /** Requests of orders paid since a moment, by day in a time zone and by the stage they are in now. */
  requestsByDay(since: Date, timeZone: string): Promise<DayOfRequests[]>;
  setup(environment: Environment): Promise<{ hasMapping: boolean; hasRehearsed: boolean }>;
  /** Why each of these orders needs a person, newest payment first. */
  attentionOf(orderIds: OrderId[]): Promise<AttentionItem[]>;
  /** Issued before a moment and without results, oldest first. */
  withoutResults(issuedBefore: Date, limit: number): Promise<AgeingReferral[]>;
  /** One row for each request of these orders, and one for an order that has none. */
  exportRows(orderIds: OrderId[]): Promise<ExportedRequest[]>;
}
