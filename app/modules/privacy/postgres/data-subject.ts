import type { Scope } from "../../../platform/database/scope.ts";
import { gid } from "../../kernel/ids.ts";
import type { DataSubject } from "../../orders/privacy-request.ts";

/**
 * Finds as `findOf` does, and the orders that the store names with every request of them, whoever's account they are in. A request
 * is in its order's account, and the order's may have changed by a merge that nobody told of.
 */
export async function findToRedact(scope: Scope, subject: DataSubject, until?: Date) {
  const { tx, shop } = scope;
  const found = await findOf(scope, subject, until);
  const orders = await tx.order.findMany({
    where: { shop, orderId: { in: subject.orderIds } },
    select: { orderId: true },
  });
  const requests = await tx.referralRequest.findMany({
    where: { shop, owner: "buyer", orderId: { in: subject.orderIds } },
    select: { id: true },
  });
  const orderIds = new Set([...found.orderIds, ...orders.map((row) => gid("Order", row.orderId))]);
  const requestIds = new Set([...found.requestIds, ...requests.map((row) => row.id)]);
  return { orderIds: [...orderIds].toSorted(), requestIds: [...requestIds].toSorted() };
}

/**
 * Orders that somebody placed, and requests that are theirs: in their account, or of one of their orders and in
 * nobody's. A unit that was handed to its patient is that person's, and not theirs (decision 17). An order that the store names is
 * another customer's by now where staff corrected whose it is (decision 117). `until`: of what is not in the orders named, only what
 * was here by then.
 */
export async function findOf(
  { tx, shop }: Scope,
  { customerId, orderIds }: DataSubject,
  until?: Date,
) {
  const by = until ? { lte: until } : undefined;
  const placed = customerId ? [{ customerId, ...(by && { firstReadAt: by }) }] : [];
  const owned = customerId ? [{ customerId, ...(by && { createdAt: by }) }] : [];
  const named = { orderId: { in: orderIds }, ...(customerId && { customerId: null }) };
  const orders = await tx.order.findMany({
    where: { shop, OR: [...placed, named] },
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
