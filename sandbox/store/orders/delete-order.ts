import type { Platform } from "../platform.ts";
import type { OrderDocument } from "../state/order.ts";
import type { ShopDocument } from "../state/shop.ts";
import { publish } from "../webhooks/publish.ts";

/** Deletes an order, as staff can one that was paid by hand, and tells the app: orders/delete. */
export function deleteOrder(platform: Platform, shop: ShopDocument, order: OrderDocument): void {
  platform.data.orders.delete(order.id);
  publish(platform, shop, "orders/delete", { id: order.id });
}
