import { queueMail } from "../kernel/queue-mail.ts";
import type { RequestFacts } from "./customer-view.ts";
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

/**
 * Adds whether the owner of a unit is told that it is not ordered: their page says what the email says. The email of an order tells of
 * one unit, and of those that have stood still for longer.
 */
export async function addDelayed(
  tenant: Tenant,
  all: readonly RequestFacts[],
): Promise<RequestFacts[]> {
  const waiting = all.filter(({ request }) => isDelayed(request));
  if (waiting.length === 0) return [...all];
  const ids = waiting.map(({ request }) => request.id);
  const told = new Set(
    (await tenant.notifications.noted(ids, "order_delayed")).map(({ requestId }) => requestId),
  );
  const named = waiting.flatMap(({ request }) => (told.has(request.id) ? [request] : []));
  const isTold = (request: ReferralRequest) =>
    isDelayed(request) &&
    named.some(
      (one) =>
        one.orderId === request.orderId &&
        one.owner === request.owner &&
        (one.owner === "buyer" || one.id === request.id) &&
        request.updatedAt <= one.updatedAt,
    );
  return all.map((facts) => ({ ...facts, isDelayed: isTold(facts.request) }));
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
