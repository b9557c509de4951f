import type { VariantOverview } from "../../domain/overview/read-mappings.ts";
import { VARIANT_STATES } from "../../messages/mapping.ts";

export type VariantForm = ReturnType<typeof presentVariantForm>;

/** One variant's form: what it is mapped to, and the catalogue to choose from. */
export function presentVariantForm(found: VariantOverview) {
  const { variant, mapping, state, catalogue, environment, environments, missing } = found;
  const items = mapping?.kind === "order" ? mapping.items : null;
  return {
    variantId: variant.id,
    productId: variant.productId,
    productTitle: variant.productTitle,
    variantTitle: variant.variantTitle,
    sku: variant.sku,
    priceCents: variant.priceCents,
    environment,
    environments,
    state,
    stateName: VARIANT_STATES[state].name,
    tone: VARIANT_STATES[state].tone,
    missing,
    saved: {
      kind: mapping?.kind ?? "order",
      bundleId: items?.bundleId ?? "",
      tests: items?.tests ?? [],
      medicareTests: items?.medicareTests ?? [],
      practitionerName: items?.practitioner?.name ?? "",
      practitionerAddress: items?.practitioner?.address ?? "",
      practitionerProviderNumber: items?.practitioner?.providerNumber ?? "",
    },
    hasCatalogue: catalogue !== null,
    tests: (catalogue?.tests ?? [])
      .map(({ id, name, shortName, priceCents }) => ({ id, name, shortName, priceCents }))
      .sort((a, b) => a.name.localeCompare(b.name)),
    bundles: (catalogue?.bundles ?? [])
      .map(({ id, name, tests }) => ({ id, name, tests }))
      .sort((a, b) => a.name.localeCompare(b.name)),
  };
}
