import { apply } from "./apply.ts";
import type { Ports } from "./ports.ts";
import { type AskedOnPage, standsElsewhere } from "./request-version.ts";

export type KeepOutcome =
  | { kind: "kept" }
  | { kind: "nothing_to_keep" }
  /** It stands elsewhere than the page showed. */
  | { kind: "changed_meanwhile" };

/**
 * Lets the patient keep a unit that the store took back, because a person decides so: the form opens again, and whoever was told
 * that it was closed is told that the test goes ahead. Doing it twice changes nothing.
 */
export async function keepRequest(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  { shop, requestId, actor, seen = null }: AskedOnPage,
): Promise<KeepOutcome> {
  return tenancy.inShop(shop, async (tenant) => {
    if (await standsElsewhere(tenant, requestId, seen)) return { kind: "changed_meanwhile" };
    const applied = await apply(tenant, requestId, { kind: "kept" }, { actor, at: clock.now() });
    return { kind: applied ? "kept" : "nothing_to_keep" };
  });
}
