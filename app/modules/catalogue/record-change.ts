import type { Actor } from "../kernel/timeline.ts";
import type { MappingMeaning } from "../referrals/mapping-facts.ts";
import type { Mapping } from "./mapping.ts";
import type { MappingPlace } from "./mapping-change.ts";
import { isSameMeaning, meaningOf } from "./mappings/same-meaning.ts";
import type { Tenant } from "./tenant.ts";

interface ChangedBy {
  changeId: string;
  actor: Actor;
  at: Date;
  undoes?: string;
}

/** The place's own mapping, with its texts; null where it has none. */
async function ownMapping(
  tenant: Pick<Tenant, "mappings">,
  { environment, productId, variantId }: MappingPlace,
): Promise<Mapping | null> {
  const ofProduct = await tenant.mappings.ofProduct(environment, productId);
  return ofProduct.find((mapping) => mapping.variantId === variantId) ?? null;
}

/**
 * Does something to the place's own mapping, and records what was there before. Nobody else changes it meanwhile. Returns
 * whether it means something else afterwards; what changes nothing is not recorded.
 */
export async function recordChange(
  tenant: Tenant,
  { environment, productId, variantId }: MappingPlace,
  { by, change }: { by: ChangedBy; change(): Promise<void> },
): Promise<boolean> {
  const place = { environment, productId, variantId };
  await tenant.mappings.holdStill();
  const before = await ownMapping(tenant, place);
  await change();
  const after = await ownMapping(tenant, place);
  if (isSameMeaning(meaningOf(before), meaningOf(after))) return false;
  await tenant.mappingChanges.add({
    ...place,
    ...{ undoes: null, ...by },
    became: after?.kind ?? "unmapped",
    before: before && storedMeaning(before),
  });
  return true;
}

function storedMeaning(mapping: Mapping): MappingMeaning {
  if (mapping.kind === "ignored") return { kind: "ignored" };
  const { kind, items, clinicalNotes = null, preparation = null } = mapping;
  return { kind, items, clinicalNotes, preparation };
}
