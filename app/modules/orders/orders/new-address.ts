import type { OrderId } from "../../kernel/ids.ts";
import { queueUnsentMails } from "../../kernel/queue-mail.ts";
import { updateStanding } from "../../referrals/apply.ts";
import type { StoreOrder } from "../order.ts";
import type { Tenant } from "../tenant.ts";

/** Where the buyer of an order was mailed before it is recorded anew, with their units, and those whose mail is refused. */
export interface KnownAddress {
  ids: string[];
  refusedIds: string[];
  email: string | null;
}

/** Looks, before an order is recorded anew, where its buyer was mailed, and what could not be. Null where no unit is the buyer's. */
export async function addressBefore(
  tenant: Tenant,
  orderId: OrderId,
): Promise<KnownAddress | null> {
  const own = (await tenant.requests.forOrder(orderId)).filter(({ owner }) => owner === "buyer");
  if (own.length === 0) return null;
  const buyer = await tenant.orders.buyerOf(orderId);
  const refused = own.filter(({ mailRefusedAt }) => mailRefusedAt);
  return {
    ids: own.map(({ id }) => id),
    refusedIds: refused.map(({ id }) => id),
    email: buyer?.email ?? null,
  };
}

/**
 * Sends what waits as soon as the store names another address for the buyer, and what the former one was mailed: its links have
 * ended (docs/decisions/0201).
 */
export async function sendToNewAddress(
  tenant: Tenant,
  { id: orderId, buyer: { email } }: Pick<StoreOrder, "id" | "buyer">,
  known: KnownAddress | null,
): Promise<void> {
  if (!known || !email || email.toLowerCase() === known.email?.toLowerCase()) return;
  for (const id of known.refusedIds) {
    await tenant.requests.recordMailRefused(id, null);
    await updateStanding(tenant, id);
  }
  await queueUnsentMails(tenant, known.ids);
  await tenant.jobs.enqueue({ name: "mail-new-address", shop: tenant.shop, orderId });
}
