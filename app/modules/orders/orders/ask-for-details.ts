import type { ReferralRequest } from "../../referrals/request.ts";
import { watchUnasked } from "../../referrals/schedule-reminders.ts";
import type { StoreOrder } from "../order.ts";
import type { Tenant } from "../tenant.ts";

/**
 * One mail for an order, however many units it opened: its page asks for all of them. Units of which nobody could be
 * asked are asked for once there is an address. A customer without one may look into the account, and is watched.
 */
export async function askForDetails(
  tenant: Tenant,
  { id, buyer, customerId }: StoreOrder,
  known: { openedIds: string[]; existing: ReferralRequest[]; now: Date },
): Promise<void> {
  const { openedIds, existing, now } = known;
  if (openedIds.length === 0 && !existing.some(awaitsBuyer)) return;
  const kind = "details_needed" as const;
  const ask = async (requestId: string) => {
    await tenant.notifications.noteOnce({ requestId, kind }, now);
    await tenant.jobs.enqueue({ name: "send-mail", shop: tenant.shop, requestId, kind });
  };
  if (openedIds[0] && buyer.email !== null) return ask(openedIds[0]);
  // Reads the units again: some may just have been cancelled.
  const current = await tenant.requests.forOrder(id);
  const waiting = current.find(awaitsBuyer);
  if (buyer.email === null) {
    if (customerId && waiting) await watchUnasked(tenant, waiting);
    return;
  }
  if (waiting && !(await wasAsked(tenant, current))) await ask(waiting.id);
}

/** Whether a mail that asks is out, or will be: one that is noted for a unit that was taken back is never sent. */
async function wasAsked(tenant: Tenant, requests: ReferralRequest[]): Promise<boolean> {
  const ids = requests.map((request) => request.id);
  const living = new Set(requests.filter(({ state }) => state !== "cancelled").map(({ id }) => id));
  const noted = await tenant.notifications.noted(ids, "details_needed");
  return noted.some(({ requestId, isSent }) => isSent || living.has(requestId));
}

const awaitsBuyer = ({ state, owner }: ReferralRequest) =>
  state === "awaiting_details" && owner === "buyer";
