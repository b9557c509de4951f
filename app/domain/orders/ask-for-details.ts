import { watchUnasked } from "../notifications/remind-details.ts";
import type { ReferralRequest } from "../requests/request.ts";
import type { Tenant } from "../tenant.ts";
import type { StoreOrder } from "./order.ts";

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
  const first = async () => (await tenant.requests.forOrder(id)).find(awaitsBuyer);
  if (buyer.email === null) {
    const waiting = customerId && (await first());
    if (waiting) await watchUnasked(tenant, waiting);
    return;
  }
  const kind = "details_needed" as const;
  const ids = existing.map((request) => request.id);
  const wasAsked = openedIds.length === 0 && (await tenant.notifications.isAnyNoted(ids, kind));
  const requestId = openedIds[0] ?? (wasAsked ? undefined : (await first())?.id);
  if (!requestId) return;
  await tenant.notifications.note({ requestId, kind }, now);
  await tenant.jobs.enqueue({ name: "send-mail", shop: tenant.shop, requestId, kind });
}

const awaitsBuyer = ({ state, holder }: ReferralRequest) =>
  state === "awaiting_details" && holder === "buyer";
