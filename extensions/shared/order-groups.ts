import type { TestRequest } from "./requests.ts";

export interface OrderGroup {
  orderId: string;
  orderName: string;
  requests: TestRequest[];
}

/** The number at the end of a Shopify global id: the host and the app may name one order by different types. */
export const orderNumber = (orderId: string): string =>
  /(\d+)(?:\?.*)?$/.exec(orderId)?.[1] ?? orderId;

/** The requests that belong to one order, in the order in which the app gave them. */
export const requestsOfOrder = (requests: TestRequest[], orderId: string): TestRequest[] =>
  requests.filter((request) => orderNumber(request.orderId) === orderNumber(orderId));

/** Requests by order; orders stay in the sequence in which they first appear (the app lists newest first). */
export function groupByOrder(requests: TestRequest[]): OrderGroup[] {
  const groups = new Map<string, OrderGroup>();
  for (const request of requests) {
    const key = orderNumber(request.orderId);
    const group = groups.get(key);
    if (group) group.requests.push(request);
    else
      groups.set(key, {
        orderId: request.orderId,
        orderName: request.orderName,
        requests: [request],
      });
  }
  return [...groups.values()];
}

/** How many requests wait for the customer to act. */
export const waitingForDetails = (requests: TestRequest[]): number =>
  requests.filter((request) => request.state === "awaiting_details").length;

/**
 * How many tests need details, of how many: in the orders that have such a test, cancelled tests left out. `next` are those that
 * need them.
 */
export function detailsProgress<R extends Pick<TestRequest, "orderId" | "state">>(
  requests: R[],
): { needed: number; of: number; next: R[] } {
  const next = requests.filter(({ state }) => state === "awaiting_details");
  const orders = new Set(next.map(({ orderId }) => orderNumber(orderId)));
  const counted = requests.filter(
    ({ orderId, state }) => state !== "cancelled" && orders.has(orderNumber(orderId)),
  );
  return { needed: next.length, of: counted.length, next };
}
