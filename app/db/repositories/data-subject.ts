import { gid } from "../../domain/ids.ts";
import type { DataSubject } from "../../domain/privacy/privacy.ts";
import type { Scope } from "./scope.ts";

/**
 * Orders that somebody placed, and requests that are theirs: in their account, or of one of their orders and in
 * nobody's. A unit that was handed to its patient is that person's, and not theirs (decision 17).
 */
export async function findOf({ tx, shop }: Scope, { customerId, orderIds }: DataSubject) {
  const owner = customerId ? [{ customerId }] : [];
  const orders = await tx.order.findMany({
    where: { shop, OR: [...owner, { orderId: { in: orderIds } }] },
    select: { orderId: true },
    orderBy: { orderId: "asc" },
  });
  const theirs = orders.map((row) => gid("Order", row.orderId));
  const requests = await tx.referralRequest.findMany({
    where: {
      shop,
      holder: "buyer",
      OR: [...owner, { customerId: null, orderId: { in: [...theirs, ...orderIds] } }],
    },
    select: { id: true },
    orderBy: { id: "asc" },
  });
  return { orderIds: theirs, requestIds: requests.map((row) => row.id) };
}
