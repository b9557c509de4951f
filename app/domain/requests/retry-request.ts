import type { ShopDomain } from "../ids.ts";
import type { Ports } from "../ports.ts";
import type { Actor } from "../timeline/timeline.ts";

export type RetryOutcome = { kind: "queued" } | { kind: "not_retryable" };

/**
 * Sends a request again because a person asks for it: one that was refused, or that could not be sent. In
 * both cases the ledger knows that nothing exists at the service, so no generation is needed.
 */
export async function retryRequest(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  { shop, requestId, actor }: { shop: ShopDomain; requestId: string; actor: Actor },
): Promise<RetryOutcome> {
  return tenancy.inShop(shop, async (tenant) => {
    const moved = await tenant.requests.move(requestId, ["rejected", "ready"], "ready", {
      attention: null,
    });
    if (!moved) return { kind: "not_retryable" };
    await tenant.timeline.add({
      kind: "retry_asked",
      actor,
      at: clock.now(),
      orderId: moved.orderId,
      requestId,
    });
    await tenant.jobs.enqueue({ name: "create-referral", shop, requestId });
    return { kind: "queued" };
  });
}
