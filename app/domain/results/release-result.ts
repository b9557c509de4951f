import type { ShopDomain } from "../ids.ts";
import type { Ports } from "../ports.ts";
import type { Actor } from "../timeline/timeline.ts";

export type ReleaseResultOutcome = { kind: "released"; results: number } | { kind: "nothing_held" };

/**
 * Shows a request's held results to their patient because a person decides so, and tells the patient that
 * there is something new. What the service itself still reviews stays hidden. The person sees no value.
 */
export async function releaseResults(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  { shop, requestId, actor }: { shop: ShopDomain; requestId: string; actor: Actor },
): Promise<ReleaseResultOutcome> {
  return tenancy.inShop(shop, async (tenant) => {
    const request = await tenant.requests.find(requestId);
    if (!request || request.state === "cancelled") return { kind: "nothing_held" };
    const now = clock.now();
    const released = await tenant.results.release(requestId, now);
    if (released.length === 0) return { kind: "nothing_held" };
    const kind = "results_available" as const;
    const { orderId } = request;
    for (const { uuid } of released)
      await tenant.timeline.add({
        kind: "result_released",
        actor,
        at: now,
        orderId,
        requestId,
        detail: { uuid },
      });
    // One mail for a request, so it waits for the whole results (as in refetchResult).
    const isWhole = released.some((result) => !result.partial);
    if (isWhole && (await tenant.notifications.note({ requestId, kind }, now)))
      await tenant.jobs.enqueue({ name: "send-mail", shop, requestId, kind });
    return { kind: "released", results: released.length };
  });
}
