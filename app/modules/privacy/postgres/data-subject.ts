import type { Scope } from "../../../platform/database/scope.ts";
import { gid } from "../../kernel/ids.ts";
import type { DataSubject } from "../../orders/privacy-request.ts";

/**
 * Finds as `findOf` does, and every request of the orders that the store names, whoever's account it is in. A request
 * is in its order's account, and the order's may have changed by a merge that nobody told of.
 */
export async function findToRedact(scope: Scope, subject: DataSubject, until?: Date) {
  const { orderIds, requestIds } = await findOf(scope, subject, until);
  const named = await scope.tx.referralRequest.findMany({
    where: { shop: scope.shop, owner: "buyer", orderId: { in: subject.orderIds } },
    select: { id: true },
  });
  const all = new Set([...requestIds, ...named.map((row) => row.id)]);
  return { orderIds, requestIds: [...all].toSorted() };
}

/**
 * Orders that somebody placed, and requests that are theirs: in their account, or of one of their orders and in
 * nobody's. A unit that was handed to its patient is that person's, and not theirs (decision 17). `until`: of what is not in the orders
 * named, only what was here by then.
 */
export async function findOf(
  { tx, shop }: Scope,
  { customerId, orderIds }: DataSubject,
  until?: Date,
) {
  const by = until ? { lte: until } : undefined;
  const placed = customerId ? [{ customerId, ...(by && { firstReadAt: by }) }] : [];
  const owned = customerId ? [{ customerId, ...(by && { createdAt: by }) }] : [];
  const orders = await tx.order.findMany({
    where: { shop, OR: [...placed, { orderId: { in: orderIds } }] },
    select: { orderId: true },
    orderBy: { orderId: "asc" },
  });
  const theirs = orders.map((row) => gid("Order", row.orderId));
  const requests = await tx.referralRequest.findMany({
    where: {
      shop,
      owner: "buyer",
      OR: [...owned, { customerId: null, orderId: { in: [...theirs, ...orderIds] } }],
    },
    select: { id: true },
    orderBy: { id: "asc" },
  });
  return { orderIds: theirs, requestIds: requests.map((row) => row.id) };
}
