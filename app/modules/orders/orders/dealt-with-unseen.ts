import type { LastReading, StoreOrder } from "../order.ts";
import { isBackdated } from "./is-backdated.ts";

/**
 * Whether a person dealt with an order while the store did not show it: with its tests ordered by a second order, or its money
 * given back. Nothing of it is ordered by itself then, before a person names it. What is asked about it meanwhile is what is
 * asked about an order of long ago.
 */
export const wasDealtWithUnseen = (
  { reasons, handled }: Pick<LastReading, "reasons" | "handled">,
  order: Pick<StoreOrder, "createdAt" | "processedAt">,
  firstInstalledAt: Date | null,
): boolean =>
  handled.includes("paid_not_visible") ||
  (reasons.includes("backdated") && !isBackdated(order, firstInstalledAt));
