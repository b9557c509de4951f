import { gidNumber } from "../../domain/ids.ts";
import type { MappedVariant, MappingsOverview } from "../../domain/overview/read-mappings.ts";
import { describeMapping, dollars, VARIANT_STATES } from "../../messages/mapping.ts";

export type VariantView = ReturnType<typeof presentVariant>;
export type MappingsView = ReturnType<typeof presentMappings>;

/** The mapping page, in words and sums. */
export function presentMappings(overview: MappingsOverview) {
  const { environment, environments, catalogue, next, unmappedSales } = overview;
  return {
    environment,
    environments,
    hasCatalogue: catalogue !== null,
    next,
    variants: overview.variants.map((one) => presentVariant(one, overview)),
    unmappedSales: unmappedSales.map(({ variantId, title, orders }) => ({
      number: gidNumber(variantId),
      title,
      orders,
    })),
  };
}

function presentVariant(
  { variant, state, mapping, missing, cost }: MappedVariant,
  { catalogue }: Pick<MappingsOverview, "catalogue">,
) {
  const { productTitle, variantTitle, sku, priceCents } = variant;
  return {
    number: gidNumber(variant.id),
    productTitle,
    variantTitle,
    sku,
    state,
    stateName: VARIANT_STATES[state].name,
    tone: VARIANT_STATES[state].tone,
    mapsTo: describeMapping(mapping, catalogue),
    missing,
    price: dollars(priceCents),
    cost: cost && `${cost.isEstimate ? "about " : ""}${dollars(cost.cents)}`,
    margin: cost && dollars(priceCents - cost.cents),
    isLoss: cost !== null && cost.cents > priceCents,
  };
}
