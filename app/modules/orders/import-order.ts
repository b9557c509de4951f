import type { OrderId, ShopDomain } from "../kernel/ids.ts";
import type { Ports } from "./ports.ts";

export type ImportOutcome =
  | { kind: "queued"; orderId: OrderId; name: string }
  /** Known already; it is read again all the same. */
  | { kind: "known"; orderId: OrderId; name: string }
  | { kind: "not_paid"; name: string }
  /** The store shows no such order: it does not exist, or was placed too long ago to be shown. */
  | { kind: "not_found" };

/** Brings in one order that a person names, by the way that its webhook would have taken. */
export async function importOrder(
  { tenancy, storeOrderList }: Pick<Ports, "tenancy" | "storeOrderList">,
  { shop, numberOrId }: { shop: ShopDomain; numberOrId: string },
): Promise<ImportOutcome> {
  const order = await storeOrderList.find(shop, numberOrId);
  if (!order) return { kind: "not_found" };
  const { id: orderId, name } = order;
  return tenancy.inShop(shop, async (tenant) => {
    const isKnown = (await tenant.orders.namesOf([orderId])).size > 0;
    if (!order.paid && !isKnown) return { kind: "not_paid", name };
    await tenant.jobs.enqueue({ name: "reconcile-order", shop, orderId, isWanted: true });
    return { kind: isKnown ? "known" : "queued", orderId, name };
  });
}
