import type { Platform } from "../platform.ts";
import type { OrderDocument } from "../state/order.ts";
import type { ShopDocument } from "../state/shop.ts";
import { orderPayload } from "../webhooks/payloads/order.ts";
import { publish } from "../webhooks/publish.ts";

/** Stores a changed order with its new time of change. Telling the app is the caller's business. */
export function saveOrder(
  platform: Platform,
  order: OrderDocument,
  changes: Partial<OrderDocument>,
): OrderDocument {
  return platform.data.orders.put({ ...order, ...changes, updatedAt: platform.clock.nowIso() });
}

/** orders/* topics that carry the whole order. */
export function publishOrder(
  platform: Platform,
  shop: ShopDocument,
  order: OrderDocument,
  topics: string[],
): void {
  const payload = orderPayload(platform, shop, order);
  for (const topic of topics) publish(platform, shop, topic, payload);
}
