import type { Buyer, LastReading, StoreOrder } from "../order.ts";
import type { Tenant } from "../tenant.ts";

/**
 * Fills in, where Shopify keeps back who bought an order, what was known of the buyer: an approval that lapses is no news of
 * anybody.
 */
export async function withKnownBuyer(tenant: Tenant, order: StoreOrder): Promise<StoreOrder> {
  if (!order.isBuyerHidden) return order;
  const known = await tenant.orders.buyerOf(order.id);
  const customerId = order.customerId ?? (await tenant.orders.customerOf(order.id));
  return { ...order, customerId, buyer: known ? merged(order.buyer, known) : order.buyer };
}

const merged = (told: Buyer, known: Buyer): Buyer => ({
  firstName: told.firstName ?? known.firstName,
  lastName: told.lastName ?? known.lastName,
  email: told.email ?? known.email,
  phone: told.phone ?? known.phone,
  address: told.address ?? known.address,
  statusUrl: told.statusUrl ?? known.statusUrl,
});

/** Whether the email of an order may be its former customer's: since this reading, since an earlier one, or not. */
export type EmailDoubt = "anew" | "still" | "none";

/**
 * Looks, before an order is recorded anew, whether its customer became another and its email stayed. Everything about its tests
 * is mailed there, the code for results included, so that staff have to say whose address it is. `last`: what was read before.
 */
export async function emailDoubt(
  tenant: Tenant,
  { id: orderId, customerId, buyer }: StoreOrder,
  last: LastReading | null,
): Promise<EmailDoubt> {
  if (!last || customerId === null || buyer.email === null) return "none";
  const isOther = last.customerId !== null && last.customerId !== customerId;
  if (!isOther && !last.reasons.includes("customer_changed")) return "none";
  const known = await tenant.orders.buyerOf(orderId);
  if (known?.email?.toLowerCase() !== buyer.email.toLowerCase()) return "none";
  return isOther ? "anew" : "still";
}

/**
 * Gives the units of an order to the account that has it in Shopify now. Staff correct a wrong customer there, or add one
 * later (docs/decisions/0117-units-follow-the-orders-customer.md). Its requests are locked.
 */
export async function followCustomer(
  tenant: Tenant,
  { id: orderId, customerId }: StoreOrder,
  at: Date,
): Promise<void> {
  if (await tenant.customers.giveOrder(orderId, customerId))
    await tenant.timeline.add({ kind: "customer_changed", actor: "shopify", at, orderId });
}
