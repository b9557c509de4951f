import type { OrderedItems } from "../referrals/referral-service.ts";
import type { CatalogueBundle, CatalogueTest } from "../referrals/snapshots.ts";

export interface Cost {
  cents: number;
  /**
   * True with a bundle: the service lists prices of tests only (interface §2.4, §2.5), so a bundle counts as
   * the sum of its tests.
   */
  isEstimate: boolean;
}

/**
 * Returns the price of one unit at the service, by its catalogue. Tests that come with the bundle are counted once,
 * as the service does (interface §4.2 rule 4). Medicare tests are not billed to the organisation (rule 8). Null when
 * something is not in the catalogue.
 */
export function costOf(
  { bundleId, tests }: Pick<OrderedItems, "bundleId" | "tests">,
  catalogue: {
    tests: Pick<CatalogueTest, "id" | "priceCents">[];
    bundles: Pick<CatalogueBundle, "id" | "tests">[];
  },
): Cost | null {
  const bundle = catalogue.bundles.find((one) => one.id === bundleId);
  if (bundleId && !bundle) return null;
  const prices = new Map(catalogue.tests.map((test) => [test.id, test.priceCents]));
  const ids = new Set([...(bundle?.tests.map((test) => test.id) ?? []), ...tests]);
  let cents = 0;
  for (const id of ids) {
    const price = prices.get(id);
    if (price === undefined) return null;
    cents += price;
  }
  return { cents, isEstimate: bundle !== undefined };
}
