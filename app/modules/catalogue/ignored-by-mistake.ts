import type { ProductId, VariantId } from "../kernel/ids.ts";
import type { MappingPlace } from "./mapping-change.ts";
import type { Tenant } from "./tenant.ts";

/** So long after it was called no test, a product that becomes one was called so by mistake. */
const MISTAKE_MS = 86_400_000;

/** A day has fewer changes of one product. */
const MAX_LOOKED_AT = 20;

/** A product or variant that was called no test, and when. */
export interface Mistake {
  sold: VariantId | ProductId;
  at: Date;
}

/**
 * Tells whether a place that is about to be mapped anew, or whose mapping goes, was called no test within the last day, or its whole
 * product was: whoever mends that mends it for the orders in between too. Those from longer ago stay as they were sold
 * (docs/decisions/0118-backdated-orders-wait-for-a-person.md). `heir`: a variant that gives up its own mapping for its product's.
 */
export async function ignoredByMistake(
  { mappings, mappingChanges }: Pick<Tenant, "mappings" | "mappingChanges">,
  { environment, productId, variantId }: MappingPlace,
  { at, heir = null }: { at: Date; heir?: VariantId | null },
): Promise<Mistake[]> {
  // Nobody changes it between this look and the change.
  await mappings.holdStill();
  const found: Mistake[] = [];
  for (const one of variantId === null && heir ? [null, heir] : [variantId]) {
    const place = { environment, productId, variantId: one };
    const changes = await mappingChanges.history(place, MAX_LOOKED_AT);
    const own = changes.find((change) => change.variantId === one);
    const whole = changes.find((change) => change.variantId === null);
    const last = own && own.became !== "unmapped" ? own : whole;
    if (last?.became === "ignored" && at.getTime() - last.at.getTime() <= MISTAKE_MS)
      found.push({ sold: one ?? productId, at: last.at });
  }
  return found;
}
