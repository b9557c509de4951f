import { apply } from "./apply.ts";
import type { Ports } from "./ports.ts";
import { type AskedOnPage, standsElsewhere } from "./request-version.ts";

export type ReleaseOutcome =
  | { kind: "queued" }
  | { kind: "not_held" }
  /** Nothing is sent: the date of birth that was given last is under the minimum age, and it waits for other details. */
  | { kind: "under_age" }
  /** It is held for another reason than the page showed. */
  | { kind: "changed_meanwhile" };

/** Lets a request that was held for review be sent. A second release finds nothing held and changes nothing. */
export async function releaseRequest(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  { shop, requestId, actor, seen = null }: AskedOnPage,
): Promise<ReleaseOutcome> {
  return tenancy.inShop(shop, async (tenant) => {
    if (await standsElsewhere(tenant, requestId, seen)) return { kind: "changed_meanwhile" };
    const applied = await apply(
      tenant,
      requestId,
      { kind: "released" },
      { actor, at: clock.now() },
    );
    if (!applied) return { kind: "not_held" };
    return { kind: applied.step.to === "ready" ? "queued" : "under_age" };
  });
}
