import type { Request } from "express";
import { readCookie } from "../cookies.ts";
import { CUSTOMER_COOKIE, type StoreCustomer, type StoreOrder, type StorePorts } from "../ports.ts";

/** The signed-in customer of a request, or null. */
export async function signedInCustomer(
  request: Request,
  ports: StorePorts,
): Promise<StoreCustomer | null> {
  const token = readCookie(request, CUSTOMER_COOKIE);
  const id = token ? await ports.customerOfSession(token) : null;
  return id ? await ports.customer(id) : null;
}

/** How a reader came to see an order: signed in as its customer, or by its status link, which is no login. */
export type OrderAccess =
  | { kind: "customer"; order: StoreOrder; customerId: string }
  | { kind: "link"; order: StoreOrder }
  | { kind: "none" };

export async function orderAccess(
  ports: StorePorts,
  asked: { orderId: string; key: string; customerId: string | null },
): Promise<OrderAccess> {
  const order = await ports.order(asked.orderId);
  if (!order) return { kind: "none" };
  if (asked.customerId && order.customerId === asked.customerId) {
    return { kind: "customer", order, customerId: asked.customerId };
  }
  return asked.key !== "" && asked.key === order.statusKey
    ? { kind: "link", order }
    : { kind: "none" };
}
