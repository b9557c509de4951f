import type { ShopDomain } from "../kernel/ids.ts";
import type { Actor } from "../kernel/timeline.ts";
import { apply } from "./apply.ts";
import type { Ports } from "./ports.ts";
import { standsElsewhere } from "./request-version.ts";

export type ReleaseOutcome =
  | { kind: "queued" }
  | { kind: "not_held" }
  /** It is held for another reason than the page showed. */
  | { kind: "changed_meanwhile" };

/** Lets a request that was held for review be sent. A second release finds nothing held and changes nothing. */
export async function releaseRequest(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  {
    shop,
    requestId,
    actor,
    seen = null,
  }: {
    shop: ShopDomain;
    requestId: string;
    actor: Actor;
    /** The `requestVersion` that the page showed; null: wherever it stands. */
    seen?: string | null;
  },
): Promise<ReleaseOutcome> {
  return tenancy.inShop(shop, async (tenant) => {
    if (await standsElsewhere(tenant, requestId, seen)) return { kind: "changed_meanwhile" };
    const applied = await apply(
      tenant,
      requestId,
      { kind: "released" },
      { actor, at: clock.now() },
    );
    return applied ? { kind: "queued" } : { kind: "not_held" };
  });
}
