import type { ShopDomain } from "../kernel/ids.ts";
import type { MessageRefusal } from "../kernel/inbox.ts";
import type { StoreMessage } from "./store-message.ts";

/** Shopify redelivers for four hours; two more are for queues on the way. */
export const OLDEST_MS = 6 * 3_600_000;
/** How far the clocks of the store and of the database may be apart. */
export const AHEAD_MS = 5 * 60_000;

/** Messages that end, destroy, hand out or join something. */
export const isDestructive = ({ kind }: StoreMessage): boolean => DESTRUCTIVE.includes(kind);

const DESTRUCTIVE: readonly StoreMessage["kind"][] = [
  "customer_merged",
  "uninstalled",
  "customer_data_requested",
  "customer_redacted",
  "shop_redacted",
];

/**
 * Why a message must not be acted on, as far as it shows by itself; null when nothing speaks against it. The
 * signature covers the body only: shop, topic, id and time are what the sender says
 * (docs/decisions/0023-webhooks-are-hints-too.md). Time is compared with the arrival and not with now, because
 * a message may wait here for long.
 */
export function messageRefusal(
  meaning: StoreMessage,
  {
    shop,
    storeId,
    triggeredAt,
    receivedAt,
  }: {
    shop: ShopDomain;
    /** The id of the store whose rows these are; null where it was never read. */
    storeId: string | null;
    triggeredAt: Date | null;
    receivedAt: Date;
  },
): MessageRefusal | null {
  if (!isDestructive(meaning)) return null;
  if ("statedShop" in meaning && !isSame(meaning.statedShop ?? "", shop)) return "other_shop";
  // Another store had the name, and has left: the rows are those of the one before it (docs/decisions/0175).
  if (meaning.kind === "shop_redacted" && storeId && meaning.statedStoreId !== storeId)
    return "other_store";
  if (!triggeredAt) return "no_time";
  const ageMs = receivedAt.getTime() - triggeredAt.getTime();
  if (ageMs < -AHEAD_MS) return "from_the_future";
  return ageMs > OLDEST_MS ? "too_old" : null;
}

const isSame = (stated: string, shop: ShopDomain) => stated.toLowerCase() === shop.toLowerCase();
