import type { OrderId } from "../../kernel/ids.ts";
import { queueUnsentMails } from "../../kernel/queue-mail.ts";
import { updateStanding } from "../../referrals/apply.ts";
import type { Tenant } from "../tenant.ts";

/** The units of an order whose buyer's address refuses mail, and that address. */
export interface WaitingMails {
  requestIds: string[];
  email: string | null;
}

/** Looks, before an order is recorded anew, for what could not be mailed to its buyer. */
export async function mailsWaiting(tenant: Tenant, orderId: OrderId): Promise<WaitingMails> {
  const refused = (await tenant.requests.forOrder(orderId)).filter(
    ({ owner, mailRefusedAt }) => owner === "buyer" && mailRefusedAt,
  );
  if (refused.length === 0) return { requestIds: [], email: null };
  const buyer = await tenant.orders.buyerOf(orderId);
  return { requestIds: refused.map(({ id }) => id), email: buyer?.email ?? null };
}

/** Sends what waits as soon as the store names another address for the buyer. */
export async function sendToNewAddress(
  tenant: Tenant,
  { requestIds, email: before }: WaitingMails,
  email: string | null,
): Promise<void> {
  if (requestIds.length === 0 || !email || email === before) return;
  for (const id of requestIds) {
    await tenant.requests.recordMailRefused(id, null);
    await updateStanding(tenant, id);
  }
  await queueUnsentMails(tenant, requestIds);
}
