import { contactOf, type Shop } from "../shops/shop.ts";
import type { RequestFacts } from "./customer-view.ts";
import { isHeld, type StoredResult } from "./referral-repository.ts";
import type { Tenant } from "./tenant.ts";

/**
 * Adds whom to ring, where an email asks a test's owner to ring today about a held result (escalate-hold.ts). Their page says
 * the same until the result is released: "being reviewed" alone would take the urgency back. The email counts from the moment
 * that it is due, as it may not arrive.
 */
export async function addAskedToRing(
  tenant: Tenant,
  all: readonly RequestFacts[],
  settings: Pick<Shop, "reviewer" | "clinicalContact"> | null,
): Promise<RequestFacts[]> {
  const holding = all.filter(({ results }) => results.some(isTold));
  if (holding.length === 0) return [...all];
  const mails = await tenant.notifications.ofRequests(holding.map(({ request }) => request.id));
  const asked = mails.filter(({ kind }) => kind === "ring_today");
  if (asked.length === 0) return [...all];
  // Its hold, and none before it. That of an email is the later one once a clock that was ahead has been set back.
  const isAsked = ({ uuid, heldAt }: StoredResult) =>
    asked.some(({ occurrence }) => {
      const [of, since] = occurrence.split(" ");
      return of === uuid && Number(since) >= (heldAt?.getTime() ?? Number.POSITIVE_INFINITY);
    });
  const contact = settings && contactOf(settings);
  return all.map((facts) => {
    const uuids = facts.results
      .filter((one) => isTold(one) && isAsked(one))
      .map(({ uuid }) => uuid);
    return uuids.length > 0 ? { ...facts, toRing: { uuids: new Set(uuids), contact } } : facts;
  });
}

/** Whether the shop was told that it is held. Nobody is asked to ring before. */
const isTold = (one: StoredResult): boolean => isHeld(one) && one.holdAlerts > 0;
