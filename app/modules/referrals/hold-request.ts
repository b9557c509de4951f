import type { ShopDomain } from "../kernel/ids.ts";
import type { Actor } from "../kernel/timeline.ts";
import { apply } from "./apply.ts";
import type { Ports } from "./ports.ts";

export type HoldOutcome = { kind: "held" } | { kind: "too_late" };

/**
 * Keeps a request that is about to be sent until somebody releases it. One that is being sent, or was, cannot be
 * held any more; one that waits for its details is held by the shop's policy once they are in.
 */
export async function holdRequest(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  { shop, requestId, actor }: { shop: ShopDomain; requestId: string; actor: Actor },
): Promise<HoldOutcome> {
  return tenancy.inShop(shop, async (tenant) => {
    const applied = await apply(tenant, requestId, { kind: "held" }, { actor, at: clock.now() });
    return applied ? { kind: "held" } : { kind: "too_late" };
  });
}
