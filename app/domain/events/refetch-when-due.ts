import type { Environment } from "../connections/connection.ts";
import type { ShopDomain } from "../ids.ts";
import type { Ports } from "../ports.ts";
import { type RefetchOutcome, refetchReferral } from "../referrals/refetch-referral.ts";
import { refetchResult } from "../results/refetch-result.ts";
import type { Tenant } from "../tenant.ts";
import { pauseAfter } from "./refetch-pause.ts";

type RefetchPorts = Parameters<typeof refetchReferral>[0];

/**
 * Does a queued refetch, or puts it off for a moment when the resource was asked for just now. A hint cannot know
 * that a fetch is under way: the job that it queues follows that fetch at once, and would do so again for each
 * hint of a burst. It keeps its key, so that the whole burst waits for one fetch.
 */
export async function refetchWhenDue(
  ports: RefetchPorts & Pick<Ports, "tenancy" | "clock">,
  name: "refetch-referral" | "refetch-result",
  target: { shop: ShopDomain; environment: Environment; uuid: string },
): Promise<RefetchOutcome | { kind: "put_off" }> {
  const { tenancy, clock } = ports;
  const isPutOff = await tenancy.inShop(target.shop, async (tenant) => {
    const lastFetch =
      name === "refetch-result"
        ? (await tenant.results.find(target.uuid))?.fetchedAt
        : await lastFetchOfReferral(tenant, target.uuid);
    const notBefore = pauseAfter(lastFetch, clock.now());
    if (notBefore) await tenant.jobs.enqueue({ name, ...target }, { notBefore });
    return notBefore !== null;
  });
  if (isPutOff) return { kind: "put_off" };
  return name === "refetch-result" ? refetchResult(ports, target) : refetchReferral(ports, target);
}

/** What a create call answered is no refetch: its PDF, which comes next, must not wait. */
export async function lastFetchOfReferral(tenant: Tenant, uuid: string): Promise<Date | null> {
  const stored = await tenant.referrals.find(uuid);
  return stored && stored.status !== "CREATED" ? stored.fetchedAt : null;
}
