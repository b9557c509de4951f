import type { OrderId } from "../../kernel/ids.ts";
import { queueUnsentMails } from "../../kernel/queue-mail.ts";
import { updateStanding } from "../../referrals/apply.ts";
import type { StoreOrder } from "../order.ts";
import type { Tenant } from "../tenant.ts";

/** The units of an order whose buyer's address refuses mail, and the address of the buyer, where there are units of theirs. */
export interface KnownAddress {
  refusedIds: string[];
  email: string | null;
}

/** Looks, before an order is recorded anew, where its buyer was mailed, and what could not be. */
export async function addressBefore(tenant: Tenant, orderId: OrderId): Promise<KnownAddress> {
  const own = (await tenant.requests.forOrder(orderId)).filter(({ owner }) => owner === "buyer");
  if (own.length === 0) return { refusedIds: [], email: null };
  const buyer = await tenant.orders.buyerOf(orderId);
  const refused = own.filter(({ mailRefusedAt }) => mailRefusedAt);
  return { refusedIds: refused.map(({ id }) => id), email: buyer?.email ?? null };
}

/**
 * Sends what waits as soon as the store names another address for the buyer, and what the former one was mailed: its links have
 * ended (docs/decisions/0201).
 */
export async function sendToNewAddress(
  tenant: Tenant,
  { id: orderId, buyer: { email } }: Pick<StoreOrder, "id" | "buyer">,
  { refusedIds, email: before }: KnownAddress,
): Promise<void> {
  if (!email || email.toLowerCase() === before?.toLowerCase()) return;
  for (const id of refusedIds) {
    await tenant.requests.recordMailRefused(id, null);
    await updateStanding(tenant, id);
  }
  if (refusedIds.length > 0) await queueUnsentMails(tenant, refusedIds);
  if (before) await tenant.jobs.enqueue({ name: "mail-new-address", shop: tenant.shop, orderId });
}
