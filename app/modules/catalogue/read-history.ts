import type { ShopDomain } from "../kernel/ids.ts";
import type { Actor } from "../kernel/timeline.ts";
import type { MappingMeaning } from "../referrals/mapping-facts.ts";
import type { MappingChanged, MappingPlace } from "./mapping-change.ts";
import type { Ports } from "./ports.ts";
import type { Tenant } from "./tenant.ts";

/** The newest changes that a page lists. */
const MAX_SHOWN = 10;

/** One change of what a variant means, by its own mapping or by its product's. */
export interface MappingStep extends Pick<MappingChanged, "changeId" | "at" | "actor" | "before"> {
  /** Null when Shopify never told who that member of staff is. */
  name: string | null;
  isWholeProduct: boolean;
  isUndo: boolean;
  /** Its meaning afterwards; null when it had no mapping. */
  after: MappingMeaning | null;
}

export interface MappingHistory {
  /** The newest first. */
  steps: MappingStep[];
  hasMore: boolean;
}

/**
 * Reads who changed a variant's mapping or its product's, when, and from what to what. A row holds what was there before, so
 * what came after is the next row's, or what is there now.
 */
export async function readHistory(
  { tenancy }: Pick<Ports, "tenancy">,
  { shop, ...place }: { shop: ShopDomain } & MappingPlace,
): Promise<MappingHistory> {
  return tenancy.inShop(shop, async (tenant) => {
    const changes = await tenant.mappingChanges.history(place, MAX_SHOWN + 1);
    const now = await tenant.mappings.ofProduct(place.environment, place.productId);
    const after = new Map<string | null, MappingMeaning | null>(
      now.map((mapping) => [mapping.variantId, mapping]),
    );
    const names = await namesOf(tenant, changes);
    const steps = changes.map(({ changeId, at, actor, before, variantId, undoes }) => {
      const step = { changeId, at, actor, before, after: after.get(variantId) ?? null };
      after.set(variantId, before);
      const name = names.get(actor) ?? null;
      return { ...step, name, isWholeProduct: variantId === null, isUndo: undoes !== null };
    });
    return { steps: steps.slice(0, MAX_SHOWN), hasMore: steps.length > MAX_SHOWN };
  });
}

async function namesOf(tenant: Tenant, changes: MappingChanged[]): Promise<Map<Actor, string>> {
  const names = new Map<Actor, string>();
  for (const actor of new Set(changes.map((change) => change.actor))) {
    const member = await tenant.staff.find(actor);
    if (member) names.set(actor, member.name);
  }
  return names;
}
