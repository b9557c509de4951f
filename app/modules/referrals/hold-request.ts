import { apply } from "./apply.ts";
import type { Ports } from "./ports.ts";
import { type AskedOnPage, standsElsewhere } from "./request-version.ts";

export type HoldOutcome =
  | { kind: "held" }
  | { kind: "too_late" }
  /** It stands elsewhere than the page showed: it may have been released since, by somebody else. */
  | { kind: "changed_meanwhile" };

/**
 * Keeps a request that is about to be sent until somebody releases it. One that is being sent, or was, cannot be
 * held any more; one that waits for its details is held by the shop's policy once they are in.
 */
export async function holdRequest(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  { shop, requestId, actor, seen = null }: AskedOnPage,
): Promise<HoldOutcome> {
  return tenancy.inShop(shop, async (tenant) => {
    if (await standsElsewhere(tenant, requestId, seen)) return { kind: "changed_meanwhile" };
    const applied = await apply(tenant, requestId, { kind: "held" }, { actor, at: clock.now() });
    return applied ? { kind: "held" } : { kind: "too_late" };
  });
}
