import type { OrderId } from "../../kernel/ids.ts";
import { reachMilestone } from "../../referrals/reach-milestone.ts";
import type { OrderReason } from "../order-reason.ts";
import type { Tenant } from "../tenant.ts";

/**
 * Writes why a person has to look at a locked order, or that nobody has to (`OrderRepository.setAttention`). The store and
 * whoever gets alerts are told when somebody has to who had not before.
 */
export async function needPerson(
  tenant: Tenant,
  orderId: OrderId,
  reasons: readonly OrderReason[],
  anew?: readonly OrderReason[],
): Promise<void> {
  if (!(await tenant.orders.setAttention(orderId, reasons, anew))) return;
  await tenant.alerts.noteAttention(orderId);
  await reachMilestone(tenant, { orderId, requestId: null, milestone: "attention_needed" });
}
