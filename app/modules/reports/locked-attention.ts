import type { OrderId } from "../kernel/ids.ts";
import type { AttentionItem } from "./attention-item.ts";
import type { Tenant } from "./tenant.ts";

/** Why an order needs a person, of which nothing changes until the transaction ends. */
export async function lockedAttention(tenant: Tenant, orderId: OrderId): Promise<AttentionItem[]> {
  await tenant.orders.lock(orderId);
  await tenant.requests.forOrderForUpdate(orderId);
  return tenant.overview.attentionOf([orderId]);
}
