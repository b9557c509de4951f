import type { StoreOrder } from "../order.ts";

/** A till that was offline, and a marketplace's connector, hand orders in some days late; an import, years. */
const MAX_LATE_MS = 7 * 86_400_000;
/**
 * So long before the first visit an order may have been placed while its store had the app. A shop whose data was erased has been
 * without the app for longer, so that nothing it had ordered is taken for new when it returns.
 */
const MAX_BEFORE_VISIT_MS = 48 * 3_600_000;

/**
 * Whether an order was placed elsewhere long before Shopify got it, as those are that a shop brings along from its former
 * system, or before the shop first had the app. Its tests were ordered otherwise, if any were
 * (docs/decisions/0118-backdated-orders-wait-for-a-person.md).
 */
export const isBackdated = (
  { createdAt, processedAt }: Pick<StoreOrder, "createdAt" | "processedAt">,
  firstInstalledAt: Date | null,
): boolean =>
  (createdAt !== undefined && createdAt.getTime() - processedAt.getTime() > MAX_LATE_MS) ||
  (firstInstalledAt !== null &&
    firstInstalledAt.getTime() - processedAt.getTime() > MAX_BEFORE_VISIT_MS);
