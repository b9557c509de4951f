import type { OrderId, ProductId, VariantId } from "../kernel/ids.ts";
import type { OrderFacts } from "../referrals/order-facts.ts";
import type { Environment } from "../shops/connection.ts";

/** Port: orders that wait for what the merchant maps. */
export interface WaitingOrders extends OrderFacts {
  /**
   * Orders that sold a variant, or any variant of a product, which had no mapping: some of them, by their ids, behind
   * one of them.
   */
  withUnmapped(
    sold: VariantId | ProductId,
    page: { after: OrderId | null; limit: number },
  ): Promise<OrderId[]>;
  /** Orders that sold it, or a part of it as a bundle, and were taken for no test since a moment. */
  withIgnored(
    sold: VariantId | ProductId,
    page: { after: OrderId | null; limit: number; since: Date },
  ): Promise<OrderId[]>;
  /** How many these are. */
  countIgnored(sold: VariantId | ProductId, since: Date): Promise<number>;
  /**
   * For how many orders units of a variant, or of a product's variants that have no mapping of their own, were opened since
   * a moment.
   */
  countOpened(
    sold: VariantId | ProductId,
    since: { environment: Environment; at: Date },
  ): Promise<number>;
  /** How many units of it wait to be sent that order something else than it means now, by the variant's own mapping or by its product's. */
  countUnsentOtherwise(sold: VariantId | ProductId, environment: Environment): Promise<number>;
  /** How many these are. */
  countUnmapped(sold: VariantId | ProductId): Promise<number>;
}

/** How far the orders were walked through that waited for one mapping. */
export interface WaitingWalk {
  /** The variant, or the product as a whole, that has a meaning now. */
  sold: VariantId | ProductId;
  /** The order behind which the walk goes on; null at its start. */
  after: OrderId | null;
  /**
   * ISO 8601. Walks through the orders instead that were taken for no test since then: that was a mistake, so they are
   * ordered, or need somebody, after all.
   */
  ignoredSince?: string;
}
