import type { Environment } from "../connections/connection.ts";
import type { ShopDomain } from "../ids.ts";
import type { Ports } from "../ports.ts";

export type TailOutcome =
  | { kind: "tailed"; seen: number; repaired: number }
  | { kind: "nothing_open" }
  | { kind: "no_connection" };

/** The service's clock may differ from ours by this much. */
const CLOCK_TOLERANCE_MS = 10 * 60_000;

/**
 * Walks the service's list newest first, back to the oldest referral that may still change, and queues a
 * refetch for each of ours that differs from what is stored: those are events that never came. They are
 * counted, so that the merchant sees how reliable the events are.
 */
export async function tailConnection(
  { tenancy, services, clock }: Pick<Ports, "tenancy" | "services" | "clock">,
  { shop, environment }: { shop: ShopDomain; environment: Environment },
): Promise<TailOutcome> {
  const service = await services.forConnection(shop, environment);
  if (!service) return { kind: "no_connection" };
  const oldest = await tenancy.inShop(shop, (t) => t.referrals.oldestUnfinished(environment));
  if (!oldest) return { kind: "nothing_open" };
  const startedAt = clock.now();
  let seen = 0;
  let repaired = 0;
  for await (const listed of service.referralsNewestFirst()) {
    // Sorted by creation or by last change, what follows is older still (interface §4.2 does not say which).
    const touchedAt = Math.max(Date.parse(listed.createdAt), Date.parse(listed.updatedAt));
    if (touchedAt < oldest.getTime() - CLOCK_TOLERANCE_MS) break;
    seen++;
    const differs = await tenancy.inShop(shop, async (tenant) => {
      const stored = await tenant.referrals.find(listed.uuid);
      const known =
        stored ??
        (listed.referenceNumber
          ? await tenant.requests.findByReferenceNumber(listed.referenceNumber)
          : null);
      if (!known) return false;
      const updatedAt = Date.parse(listed.updatedAt);
      // Deleting changes neither the status nor the time (interface §3).
      const isGone = listed.deletedAt !== null && stored?.deletedAt === null;
      if (stored && !isGone && stored.serviceUpdatedAt.getTime() >= updatedAt) return false;
      await tenant.jobs.enqueue({ name: "refetch-referral", shop, environment, uuid: listed.uuid });
      // Counted where it is repaired: the walk may yet break off, and is then begun again.
      await tenant.connections.countRepair(environment);
      return true;
    });
    if (differs) repaired++;
  }
  await tenancy.inShop(shop, (t) => t.connections.recordTail(environment, startedAt));
  return { kind: "tailed", seen, repaired };
}
