import type { StoreOrder } from "../order.ts";

/** A till that was offline, and a marketplace's connector, hand orders in some days late; an import, years. */
const MAX_LATE_MS = 7 * 86_400_000;

/**
 * Whether an order was placed elsewhere long before Shopify got it, as those are that a shop brings along from its former
 * system. Its tests were ordered there, if any were (docs/decisions/0118-backdated-orders-wait-for-a-person.md).
 */
export const isBackdated = ({
  createdAt,
  processedAt,
}: Pick<StoreOrder, "createdAt" | "processedAt">): boolean =>
  createdAt !== undefined && createdAt.getTime() - processedAt.getTime() > MAX_LATE_MS;
