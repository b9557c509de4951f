import type { ShopDomain } from "../kernel/ids.ts";
import type { Actor } from "../kernel/timeline.ts";
import { apply } from "./apply.ts";
import type { Ports } from "./ports.ts";

export type ReleaseOutcome = { kind: "queued" } | { kind: "not_held" };

/** Lets a request that was held for review be sent. A second release finds nothing held and changes nothing. */
export async function releaseRequest(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  { shop, requestId, actor }: { shop: ShopDomain; requestId: string; actor: Actor },
): Promise<ReleaseOutcome> {
  return tenancy.inShop(shop, async (tenant) => {
    const applied = await apply(
      tenant,
      requestId,
      { kind: "released" },
      { actor, at: clock.now() },
    );
    return applied ? { kind: "queued" } : { kind: "not_held" };
  });
}
