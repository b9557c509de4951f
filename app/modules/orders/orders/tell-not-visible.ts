import type { OrderId } from "../../kernel/ids.ts";
import { withResults } from "../../referrals/with-results.ts";
import type { Tenant } from "../tenant.ts";
import { needPerson } from "./need-person.ts";

const REASON = "order_not_visible";

/**
 * Has a person told that the store does not show an order any more, so that nothing of what is refunded or changed
 * there is seen here: without the scope `read_all_orders` it shows those of 60 days. Its units stay as they are. The
 * next reading that succeeds ends it. Nobody is told where a refund would change nothing: no money was real, or only
 * results are left. `readAt` is when the reading that found nothing began (`orders.beginReading`).
 */
export async function tellNotVisible(
  tenant: Tenant,
  orderId: OrderId,
  { readAt, now }: { readAt: Date; now: Date },
): Promise<void> {
  const order = await tenant.orders.findForUpdate(orderId);
  if (!order || order.redactedAt || order.cancelledAt || order.test) return;
  // Of two readings that began in one millisecond, the one that found the order is believed.
  if (order.readAt >= readAt || order.reviewCode === REASON) return;
  if (order.reviewCode === null && !(await isAnyUnitOpen(tenant, orderId))) return;
  await needPerson(tenant, orderId, REASON);
  await tenant.timeline.add({ kind: "order_not_visible", actor: "pathway", at: now, orderId });
}

async function isAnyUnitOpen(tenant: Tenant, orderId: OrderId): Promise<boolean> {
  const requests = await tenant.requests.forOrder(orderId);
  const reported = await withResults(tenant, requests);
  return requests.some(({ id, state }) => state !== "cancelled" && !reported.has(id));
}
