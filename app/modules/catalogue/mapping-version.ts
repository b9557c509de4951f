import type { VariantId } from "../kernel/ids.ts";
import type { Mapping } from "./mapping.ts";
import type { MappingPlace } from "./mapping-change.ts";
import { isSameMeaning, meaningOf } from "./mappings/same-meaning.ts";
import type { MappingChange } from "./run.ts";
import type { Tenant } from "./tenant.ts";

/** Somebody else changed the mapping since the page was opened: nothing was changed. */
export interface MappingChangedMeanwhile {
  kind: "changed_meanwhile";
  /** By name where it is known. */
  byName: string | null;
}

/** The version of a variant that has no mapping, of its own or of its product. */
export const UNMAPPED_VERSION = "/";

/** Names the present mappings of a variant and of its whole product: another text after each change of one of them. */
export function mappingVersion(
  ofProduct: readonly Pick<Mapping, "variantId" | "updatedAt">[],
  variantId: VariantId,
): string {
  const since = (which: VariantId | null) =>
    ofProduct.find((mapping) => mapping.variantId === which)?.updatedAt.toISOString() ?? "";
  return `${since(variantId)}/${since(null)}`;
}

/**
 * Whether a variant's mapping is another one than the page showed (`seen`); null when it is not, when nobody says what the
 * page showed, and when it means what is wished already. No mapping changes afterwards until the transaction ends.
 */
export async function changedMeanwhile(
  tenant: Pick<Tenant, "mappings" | "mappingChanges" | "staff">,
  {
    place,
    variantId,
    seen,
    wished,
  }: {
    place: MappingPlace;
    variantId: VariantId | null;
    seen: string | null;
    wished: MappingChange;
  },
): Promise<MappingChangedMeanwhile | null> {
  if (seen === null || variantId === null) return null;
  await tenant.mappings.holdStill();
  const { environment, productId } = place;
  const ofProduct = await tenant.mappings.ofProduct(environment, productId);
  if (mappingVersion(ofProduct, variantId) === seen) return null;
  const stored = ofProduct.find((mapping) => mapping.variantId === place.variantId) ?? null;
  // The second of two presses.
  if (isSameMeaning(meaningOf(stored), wished)) return null;
  const [last] = await tenant.mappingChanges.history({ environment, productId, variantId }, 1);
  const by = last ? await tenant.staff.find(last.actor) : null;
  return { kind: "changed_meanwhile", byName: by?.name ?? null };
}
