import type { Platform } from "../platform.ts";
import { Refusal } from "../refusal.ts";
import type { CustomerDocument } from "../state/customer.ts";
import type { ShopDocument } from "../state/shop.ts";
import { customerMerged } from "../webhooks/payloads/customer.ts";
import { publish } from "../webhooks/publish.ts";

/** Gives the orders of one customer to another, deletes the former and tells the app: customers/merge. */
export function mergeCustomers(
  platform: Platform,
  shop: ShopDocument,
  kept: CustomerDocument,
  deleted: CustomerDocument,
): CustomerDocument {
  if (kept.id === deleted.id) throw new Refusal(422, "a customer cannot be merged with itself");
  const { data } = platform;
  const now = platform.clock.nowIso();
  for (const order of data.orders.all()) {
    if (order.customerId === deleted.id) data.orders.put({ ...order, customerId: kept.id });
  }
  for (const session of data.customerSessions.all()) {
    if (session.customerId === deleted.id) data.customerSessions.delete(session.id);
  }
  data.customers.delete(deleted.id);
  const merged = data.customers.put({
    ...kept,
    email: kept.email ?? deleted.email,
    phone: kept.phone ?? deleted.phone,
    addresses: [...kept.addresses, ...deleted.addresses],
    tags: [...new Set([...kept.tags, ...deleted.tags])],
    updatedAt: now,
  });
  publish(platform, shop, "customers/merge", customerMerged(kept.id, deleted.id));
  return merged;
}
