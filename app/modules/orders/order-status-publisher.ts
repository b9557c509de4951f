import type { LineItemId, OrderId, ShopDomain } from "../kernel/ids.ts";
import type { Reached } from "../referrals/milestone.ts";
import type { Environment } from "../shops/connection.ts";

/** A line's units in Shopify that are not fulfilled yet, one entry for each place that fulfils. */
export interface OpenLine {
  /** Null: at places that Shopify does not show to the app. */
  fulfillmentOrderId: string | null;
  fulfillmentOrderLineId: string;
  lineItemId: LineItemId;
  remaining: number;
  /** Units of the whole line, wherever they are, that are fulfilled and not refunded. */
  fulfilled: number;
}

/** Port: what Pathway writes into the store when the merchant has it do so. Each call but `fulfil` may be made again. */
export interface OrderStatusPublisher {
  addTag(shop: ShopDomain, orderId: OrderId, tag: string): Promise<void>;
  /** Reads what is open at the places that Shopify shows, and of these lines what is open elsewhere, last. */
  openLines(
    shop: ShopDomain,
    orderId: OrderId,
    lineItemIds: readonly LineItemId[],
  ): Promise<OpenLine[]>;
  /**
   * Marks units as fulfilled, without a mail to the shopper: Pathway's own says more. `unclear`: nobody knows whether Shopify did
   * it, or is still doing it. It rejects where some were certainly not, as those at places that Shopify does not show, and
   * those that were are not open any more.
   */
  fulfil(
    shop: ShopDomain,
    units: { line: OpenLine; quantity: number }[],
  ): Promise<"done" | "unclear">;
  /** Starts the merchant's workflows of a milestone. Ids only. */
  startFlow(shop: ShopDomain, told: Reached): Promise<void>;
  /** Starts the merchant's workflows of an outage of the service. */
  startOutageFlow(shop: ShopDomain, told: ToldOutage): Promise<void>;
}

/** An outage of the service that began, or is over. */
export interface ToldOutage {
  environment: Environment;
  /** As ISO 8601 writes it. */
  since: string;
  isOver: boolean;
}

/** Scopes that each option needs beyond those that every shop grants. */
export const OPTION_SCOPES = {
  tagOrders: ["write_orders"],
  markFulfilled: [
    "read_merchant_managed_fulfillment_orders",
    "write_merchant_managed_fulfillment_orders",
  ],
} as const;
