import type { ServiceBundle, ServiceTest } from "../drivers/service-api.ts";
import type { StoreProduct } from "../drivers/store-control.ts";
import type { MappedProduct, MapsTo } from "../world-line.ts";
import { IGNORED_SKUS, WISHES, type Wish } from "./wishes.ts";

export interface Catalogue {
  tests: readonly ServiceTest[];
  bundles: readonly ServiceBundle[];
}

export interface PlannedMapping {
  productId: string;
  variantId: string;
  /** The product's title, with the variant's own when the product has several. */
  title: string;
  mapsTo: MapsTo;
  state: MappedProduct["state"];
}

/**
 * Plans the meaning of each of the shop's variants. Throws when the catalogue lacks something that is wished for, or
 * when one of the kinds of mapping that the world promises (docs/sandbox.md §3) would not occur.
 */
export function planMappings(
  products: readonly StoreProduct[],
  catalogue: Catalogue,
): PlannedMapping[] {
  const plan = products.flatMap(({ id, title, variants }) =>
    variants.map((variant) => ({
      productId: id,
      variantId: variant.id,
      title: variants.length > 1 ? `${title}: ${variant.title}` : title,
      ...decide(variant.sku ?? "", catalogue),
    })),
  );
  for (const [kind, occurs] of Object.entries(PROMISED))
    if (!plan.some(occurs)) throw new Error(`None of the shop's products is ${kind}`);
  return plan;
}

function decide(sku: string, catalogue: Catalogue): Pick<PlannedMapping, "mapsTo" | "state"> {
  if (IGNORED_SKUS.test(sku)) return { mapsTo: {}, state: "ignored" };
  const wish = WISHES[sku];
  if (wish === undefined) return { mapsTo: {}, state: "unmapped" };
  return { mapsTo: fulfil(wish, catalogue), state: "mapped" };
}

function fulfil(wish: Wish, { tests, bundles }: Catalogue): MapsTo {
  return {
    ...(wish.bundle && { bundleId: find(wish.bundle, bundles).id }),
    ...(wish.tests && { tests: wish.tests.map((name) => find(name, tests).id) }),
    ...(wish.medicareTests && {
      medicareTests: wish.medicareTests.map((name) => find(name, tests).id),
    }),
  };
}

function find<T extends { name: string; shortName?: string | null }>(
  wanted: RegExp,
  entries: readonly T[],
): T {
  const found = entries.find(
    ({ name, shortName }) => wanted.test(name) || wanted.test(shortName ?? ""),
  );
  if (found === undefined) throw new Error(`The service's catalogue has nothing like ${wanted}`);
  return found;
}

const PROMISED: Record<string, (mapping: PlannedMapping) => boolean> = {
  "mapped to a bundle": ({ mapsTo }) => Boolean(mapsTo.bundleId && !mapsTo.tests),
  "mapped to tests": ({ mapsTo }) => Boolean(mapsTo.tests && !mapsTo.bundleId),
  "mapped to a bundle and tests": ({ mapsTo }) => Boolean(mapsTo.tests && mapsTo.bundleId),
  "mapped to Medicare tests": ({ mapsTo }) => Boolean(mapsTo.medicareTests),
  unmapped: ({ state }) => state === "unmapped",
  ignored: ({ state }) => state === "ignored",
};
