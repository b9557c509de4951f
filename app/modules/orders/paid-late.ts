import type { PaidOrder } from "../kernel/inbox.ts";
import { VISIBLE_DAYS } from "./listed-order.ts";
import type { StoreMessage } from "./store-message.ts";

/** Messages wait, and clocks differ: an order may leave the store's sight between this look and its reading. */
const MARGIN_DAYS = 10;

/**
 * The payment that a message tells of, where the store may not show its order any more because it was placed long ago; else
 * null. Such a message is kept until its order was read: nothing else says that a test was paid for. No money was real in a
 * test order, and nobody is told of one.
 */
export function paidLate(meaning: StoreMessage, now: Date): PaidOrder | null {
  const paid = meaning.kind === "order_changed" ? meaning.paid : undefined;
  if (!paid || paid.test) return null;
  const days = (now.getTime() - paid.placedAt.getTime()) / 86_400_000;
  return days > VISIBLE_DAYS - MARGIN_DAYS ? paid : null;
}
