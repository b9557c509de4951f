import type { ShopDomain } from "../ids.ts";
import type { Ports } from "../ports.ts";
import type { NewMapping } from "./mapping.ts";

export type SaveMappingOutcome =
  | { kind: "saved"; ordersWaiting: number }
  | { kind: "invalid"; message: string };

/**
 * Says what a variant means. Orders that sold the variant before it had a meaning are reconciled again, so
 * that nothing that was paid for is lost.
 */
export async function saveMapping(
  { tenancy }: Pick<Ports, "tenancy">,
  { shop, mapping }: { shop: ShopDomain; mapping: NewMapping },
): Promise<SaveMappingOutcome> {
  return tenancy.inShop(shop, async (tenant) => {
    if (mapping.kind === "order") {
      const catalogue = await tenant.catalogues.find(mapping.environment);
      const message = faultIn(mapping, catalogue);
      if (message) return { kind: "invalid", message };
    }
    await tenant.mappings.save(mapping);
    const waiting = await tenant.orders.withUnmapped(mapping.variantId);
    for (const orderId of waiting)
      await tenant.jobs.enqueue({ name: "reconcile-order", shop, orderId });
    return { kind: "saved", ordersWaiting: waiting.length };
  });
}

function faultIn(
  { items }: NewMapping & { kind: "order" },
  catalogue: { tests: { id: string }[]; bundles: { id: string }[] } | null,
): string | null {
  const { bundleId, tests, medicareTests, practitioner } = items;
  if (!bundleId && tests.length === 0 && medicareTests.length === 0)
    return "Choose a bundle or at least one test.";
  if (medicareTests.length > 0 && !practitioner)
    return "Medicare tests need the practitioner who orders them.";
  if (!catalogue) return "Connect to the referral service first, so that its tests can be chosen.";
  const known = new Set(catalogue.tests.map((test) => test.id));
  const missing = [...tests, ...medicareTests].find((id) => !known.has(id));
  if (missing) return `The test "${missing}" is not in the catalogue.`;
  if (bundleId && !catalogue.bundles.some((bundle) => bundle.id === bundleId))
    return "This bundle is not in the catalogue.";
  return null;
}
