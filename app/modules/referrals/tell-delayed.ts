import { queueMail } from "../kernel/queue-mail.ts";
import type { ReferralRequest, RequestState } from "./request.ts";
import type { Tenant } from "./tenant.ts";

/** Units that one look tells of. The rest has its turn at the next look. */
const AT_ONCE = 200;

/** What stands still for so long was settled by other means: nobody is mailed about it out of the blue. */
const FORGOTTEN_DAYS = 14;

/** States of a unit that has its details, and of which no referral is known to exist. */
export const DELAYED_STATES = ["ready", "held", "sending", "rejected", "ambiguous"] as const;

/** Whether a unit still waits for the shop, and not for its owner or for the laboratory. */
export const isDelayed = ({ state, cancellation, replacedBy }: ReferralRequest): boolean =>
  DELAYED_STATES.some((one: RequestState) => one === state) &&
  cancellation === null &&
  replacedBy === null;

/**
 * Tells whoever gave the details of a unit that it is not ordered after a day: it is held, refused, unclear, or the
 * service can't be reached. Until then their page says so, and the shop has an item. Each owner of an order is told once,
 * whatever the cause: the words would be the same. Returns how many were told.
 */
export async function tellDelayed(
  tenant: Tenant,
  { now, dayMs }: { now: Date; dayMs: number },
): Promise<number> {
  let told = 0;
  for (const id of await tenant.requests.delayed(
    { fromMs: dayMs, toMs: FORGOTTEN_DAYS * dayMs },
    AT_ONCE,
  )) {
    const request = await tenant.requests.find(id);
    if (!request) continue;
    const units = await unitsOfOwner(tenant, request);
    const known = await tenant.notifications.noted(
      units.map(({ id }) => id),
      "order_delayed",
    );
    if (known.length > 0) continue;
    const due = { requestId: request.id, kind: "order_delayed" } as const;
    if (await queueMail(tenant, due, { now })) told++;
  }
  return told;
}

/** The units of an order that this one's owner holds: all of the buyer's, or one patient's own. */
export async function unitsOfOwner(
  tenant: Pick<Tenant, "requests">,
  { id, orderId, owner }: ReferralRequest,
): Promise<ReferralRequest[]> {
  return (await tenant.requests.forOrder(orderId)).filter((one) =>
    owner === "patient" ? one.id === id : one.owner === "buyer",
  );
}
