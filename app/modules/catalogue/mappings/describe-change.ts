import type { Catalogue } from "../catalogue.ts";
import type { MappingChange } from "../run.ts";
import type { StoreVariant } from "../store-products.ts";

/** "Thyroid function – TSH only". */
export function titleOf({
  productTitle,
  variantTitle,
}: Pick<StoreVariant, "productTitle" | "variantTitle">): string {
  return [productTitle, variantTitle].filter(Boolean).join(" – ");
}

/** One line for a report: names of the catalogue, ids of what it lacks. Kept as it was when the run was made. */
export function describeChange(
  change: MappingChange,
  catalogue: Pick<Catalogue, "tests" | "bundles"> | null,
): string {
  if (change.kind === "unmapped") return "Unmapped";
  if (change.kind === "ignored") return "Not a test";
  const { bundleId, tests, medicareTests, practitioner } = change.items;
  const names = new Map(
    [...(catalogue?.tests ?? []), ...(catalogue?.bundles ?? [])].map((one) => [one.id, one.name]),
  );
  const nameOf = (id: string) => names.get(id) ?? id;
  const ordered = [...(bundleId ? [bundleId] : []), ...tests].map(nameOf).join(" + ");
  const medicare = medicareTests.map(nameOf).join(" + ");
  const doctor = practitioner ? ` (${practitioner.providerNumber})` : "";
  return [ordered, medicare && `Medicare: ${medicare}${doctor}`].filter(Boolean).join("; ");
}
