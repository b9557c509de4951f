import type { OrderedItems } from "../../../referrals/referral-service.ts";
import type { Catalogue } from "../../catalogue.ts";

/**
 * The facts of a product page about its test (extensions/product-details): the product only, nothing about anybody.
 * The service tells no preparation, so there is none.
 */
export interface ProductDetails {
  name: string;
  testCount: number;
  tests: string[];
  turnaroundDays?: number;
}

/** A mapped variant of the product. */
export interface DetailedVariant {
  /** Null when the product has the default variant only. */
  title: string | null;
  items: OrderedItems;
}

/** Longer values are refused by the store; no page lists more. */
const MAX_TESTS = 200;

/**
 * Collects the items of all mapped variants of one product. Tests that only some of them have carry those variants'
 * names, so that the page promises nobody more than they buy. Null when nothing is known.
 */
export function productDetails(
  variants: DetailedVariant[],
  catalogue: Pick<Catalogue, "tests" | "bundles">,
): ProductDetails | null {
  const names = new Map(catalogue.tests.map((test) => [test.id, test.name]));
  for (const bundle of catalogue.bundles)
    for (const { id, name } of bundle.tests) if (!names.has(id)) names.set(id, name);
  const days = new Map(
    catalogue.tests.map((test) => [test.id, test.turnaround?.maximumDays ?? null]),
  );
  const bundleOf = (id: string | null) => catalogue.bundles.find((bundle) => bundle.id === id);
  const holders = new Map<string, string[]>();
  for (const { title, items } of variants) {
    const bundle = bundleOf(items.bundleId)?.tests.map((test) => test.id) ?? [];
    for (const id of new Set([...bundle, ...items.tests, ...items.medicareTests]))
      if (names.has(id)) holders.set(id, [...(holders.get(id) ?? []), title ?? ""]);
  }
  if (holders.size === 0) return null;
  const tests = [...holders]
    .map(([id, titles]) => {
      const name = names.get(id) ?? id;
      return titles.length === variants.length ? name : `${name} (${titles.join(", ")})`;
    })
    .sort((a, b) => a.localeCompare(b, "en-AU"))
    .slice(0, MAX_TESTS);
  const known = [...holders.keys()].map((id) => days.get(id) ?? null);
  // One test of unknown length leaves the whole unknown.
  const slowest = known.every((one) => one !== null) ? Math.max(...known) : null;
  const bundles = new Set(variants.map(({ items }) => bundleOf(items.bundleId)?.name ?? ""));
  const [onlyBundle = ""] = bundles.size === 1 ? bundles : [];
  return {
    name: onlyBundle || tests.join(", ").slice(0, 200),
    testCount: holders.size,
    tests,
    ...(slowest === null ? {} : { turnaroundDays: slowest }),
  };
}
