import type { Platform } from "../platform.ts";
import { Refusal } from "../refusal.ts";
import type { OrderDocument } from "../state/order.ts";
import type { ShopDocument } from "../state/shop.ts";
import { publishOrder, saveOrder } from "./change-order.ts";

/**
 * Gives an order to another customer, or to none, and tells the app with orders/updated (`orderCustomerSet`,
 * `orderCustomerRemove`). The order's own email address stays as it is.
 */
export function setCustomer(
  platform: Platform,
  shop: ShopDocument,
  order: OrderDocument,
  customerId: number | null,
): OrderDocument {
  const customer = customerId === null ? null : platform.data.customers.get(customerId);
  if (customer === undefined || (customer && customer.shop !== shop.id))
    throw new Refusal(404, "there is no such customer");
  const changed = saveOrder(platform, order, { customerId });
  publishOrder(platform, shop, changed, ["orders/updated"]);
  return changed;
}
