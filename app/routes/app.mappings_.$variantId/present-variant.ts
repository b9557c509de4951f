import {
  describeMapping,
  describeOrigin,
  NAMELESS_PRODUCT,
  VARIANT_STATE_WORDS,
} from "../../modules/catalogue/mapping-words.ts";
import { describePractitionerFault } from "../../modules/catalogue/practitioner-words.ts";
import { gidNumber } from "../../modules/kernel/ids.ts";
import type { VariantOverview } from "../../modules/reports/read-mappings.ts";

export type VariantForm = ReturnType<typeof presentVariantForm>;

/** One variant's form: what it is mapped to, and the catalogue to choose from. */
export function presentVariantForm(found: VariantOverview) {
  const { mapping, state, catalogue, environment, environments, missing } = found;
  const items = mapping?.kind === "order" ? mapping.items : null;
  return {
    variantId: found.id,
    productId: found.productId,
    version: found.version,
    productTitle: found.productTitle || NAMELESS_PRODUCT,
    variantTitle: found.variantTitle,
    sku: found.sku,
    price: { cents: found.priceCents, currency: found.currency },
    isDeleted: found.isDeleted,
    isMapped: mapping !== null,
    isInherited: mapping?.variantId === null,
    isException: found.isException,
    siblings: found.siblings.map((one) => ({
      number: gidNumber(one.id),
      title: one.variantTitle ?? "The only variant",
      isThis: one.id === found.id,
      mapsTo:
        describeMapping(one.mapping, catalogue).join("; ") || VARIANT_STATE_WORDS.unmapped.name,
      origin: describeOrigin(one),
    })),
    practitionerFault:
      found.practitionerFault === null ? null : describePractitionerFault(found.practitionerFault),
    practitioners: found.practitioners.map(({ name, address, providerNumber, label, fault }) => ({
      name,
      address,
      providerNumber,
      label,
      hasFault: fault !== null,
    })),
    environment,
    environments,
    state,
    stateName: VARIANT_STATE_WORDS[state].name,
    tone: VARIANT_STATE_WORDS[state].tone,
    missing,
    saved: {
      kind: mapping?.kind ?? "order",
      scope: mapping?.variantId === null ? "product" : "variant",
      bundleId: items?.bundleId ?? "",
      tests: items?.tests ?? [],
      medicareTests: items?.medicareTests ?? [],
      practitionerName: items?.practitioner?.name ?? "",
      practitionerAddress: items?.practitioner?.address ?? "",
      practitionerProviderNumber: items?.practitioner?.providerNumber ?? "",
      clinicalNotes: found.clinicalNotes ?? "",
      preparation: found.preparation ?? "",
    },
    hasCatalogue: catalogue !== null,
    catalogueAt: catalogue?.fetchedAt.toISOString() ?? null,
    tests: (catalogue?.tests ?? [])
      .map(({ id, name, shortName, priceCents, turnaround }) => ({
        id,
        name,
        shortName,
        priceCents,
        turnaround,
      }))
      .sort((a, b) => a.name.localeCompare(b.name)),
    bundles: (catalogue?.bundles ?? [])
      .map(({ id, name, tests }) => ({ id, name, tests }))
      .sort((a, b) => a.name.localeCompare(b.name)),
  };
}
