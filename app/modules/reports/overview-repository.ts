import type { OrderId } from "../kernel/ids.ts";
import type { Stage } from "../referrals/stage.ts";
import type { Environment } from "../shops/connection.ts";
import type { AttentionItem, HandledItem, ReasonCount } from "./attention-item.ts";
import type { Delivery } from "./delivery.ts";
import type { ExportedRequest } from "./exported-request.ts";
import type {
  CountsOfDay,
  DayOfRequests,
  OverdueResults,
  PublishedMaximum,
  UnmappedSale,
} from "./home-figures.ts";
import type { OrderHeader } from "./order-header.ts";
import type { OrderQuery } from "./order-selection.ts";
import type { OrderPage } from "./order-summary.ts";
import type { OrderWait } from "./order-wait.ts";

/** The figures and lists that staff look at. Reads only, and of people only who bought, as the store told. */
export interface OverviewRepository {
  /**
   * Returns sales of products that have no mapping in an environment. Orders with test payments are staging's; others
   * go where new orders go.
   */
  unmappedSales(environment: Environment): Promise<UnmappedSale[]>;
  orderPage(query: OrderQuery): Promise<OrderPage>;
  order(orderId: OrderId): Promise<OrderHeader | null>;
  /** Orders that have a request in each stage; `limit` + 1 means more. */
  stageCounts(limit: number): Promise<Record<Stage, number>>;
  /** Requests of orders paid since a moment, by day in a time zone and by the stage they are in now. */
  requestsByDay(since: Date, timeZone: string): Promise<DayOfRequests[]>;
  /** Counts one day in a time zone: orders with tests that were paid, and the first forms, results and reports. */
  countsOfDay(day: string, timeZone: string): Promise<CountsOfDay>;
  setup(environment: Environment): Promise<{ hasMapping: boolean; hasSimulated: boolean }>;
  /** Why each of these orders needs a person, newest payment first. */
  attentionOf(orderIds: OrderId[]): Promise<AttentionItem[]>;
  /** What people have marked as handled of these orders, for as long as its cause stands. */
  handledOf(orderIds: OrderId[]): Promise<HandledItem[]>;
  /** The causes for which orders wait, and which no click hastens. */
  waits(orderIds: OrderId[]): Promise<Map<OrderId, OrderWait[]>>;
  /** For how many orders each kind of reason stands, among the newest `limit`. */
  reasonCounts(limit: number): Promise<ReasonCount[]>;
  /** Orders with a test that needs a person for one of these reasons, oldest payment first. */
  ordersWithReason(codes: readonly string[], limit: number): Promise<OrderId[]>;
  /** The last deliveries of the service's webhooks, newest first, as far back as a bounded look reaches. */
  deliveries(limit: number): Promise<Delivery[]>;
  /** Referrals that are overdue by the maximums of the catalogues; one at least is known. Lists the latest `limit`. */
  overdueResults(by: {
    published: PublishedMaximum[];
    now: Date;
    limit: number;
  }): Promise<OverdueResults>;
  /** One row for each request of these orders, and one for an order that has none. */
  exportRows(orderIds: OrderId[]): Promise<ExportedRequest[]>;
}
