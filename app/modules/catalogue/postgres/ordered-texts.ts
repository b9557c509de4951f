import type { Scope } from "../../../platform/database/scope.ts";
import type { VariantId } from "../../kernel/ids.ts";
import type { MappingMeaning, OrderedTexts, OrderedUnit } from "../../referrals/mapping-facts.ts";
import { productsOf } from "../../referrals/order-facts.ts";
import { isWholeOrPartOf } from "../../referrals/ordered-items.ts";
import type { OrderedItems } from "../../referrals/referral-service.ts";
import type { Environment } from "../../shops/connection.ts";
import type { MappingRepository } from "../mapping.ts";
import { readChanges } from "./mapping-changes.ts";

/** Changes are kept for 90 days, in which few products have more. */
const MAX_LOOKED_AT = 50;

/** The texts to what units order (`MappingFacts.textsOf`). The changes of a mapping are read only where it orders something else by now. */
export async function readOrderedTexts(
  scope: Scope,
  list: MappingRepository["list"],
  { environment, units }: { environment: Environment; units: readonly OrderedUnit[] },
): Promise<OrderedTexts[]> {
  const sold = units.map((unit) => unit.sold);
  const variantIds = [...new Set(sold.map(({ variantId }) => variantId))];
  const present = await list(environment, variantIds, productsOf(sold));
  const former = new Map<VariantId, MappingMeaning[]>();
  const texts: OrderedTexts[] = [];
  for (const { sold, items } of units) {
    const { variantId, productId } = sold;
    const now = present.get(variantId);
    if (now && isOf(now, items)) {
      texts.push(textsIn(now));
      continue;
    }
    const before =
      former.get(variantId) ??
      (await readFormer(scope, environment, [variantId, productId ?? now?.productId ?? null]));
    former.set(variantId, before);
    texts.push(textsIn(before.find((meaning) => isOf(meaning, items))));
  }
  return texts;
}

/** The meanings that a variant had of its own, or by its product, the latest first. */
async function readFormer(
  scope: Scope,
  environment: Environment,
  places: (string | null)[],
): Promise<MappingMeaning[]> {
  const subjects = places.filter((place) => place !== null);
  const changes = await readChanges(scope, { environment, subjects, limit: MAX_LOOKED_AT });
  return changes.flatMap(({ before }) => before ?? []);
}

const isOf = (meaning: MappingMeaning, items: OrderedItems): boolean =>
  meaning.kind === "order" && isWholeOrPartOf(items, meaning.items);

const textsIn = (meaning: MappingMeaning | undefined): OrderedTexts =>
  meaning?.kind === "order"
    ? { clinicalNotes: meaning.clinicalNotes ?? null, preparation: meaning.preparation ?? null }
    : { clinicalNotes: null, preparation: null };
