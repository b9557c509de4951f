import biomarkerData from "./data/biomarkers.json" with { type: "json" };
import bundleData from "./data/bundles.json" with { type: "json" };
import categoryData from "./data/categories.json" with { type: "json" };
import providerData from "./data/providers.json" with { type: "json" };
import testData from "./data/tests.json" with { type: "json" };
import type { Biomarker, Bundle, CatalogueTest, Category, Provider } from "./entries.ts";
import { biomarker, bundle, category, provider, test } from "./entries.ts";

/** Everything that can be ordered and measured, by id. */
export interface Catalogue {
  tests: ReadonlyMap<string, CatalogueTest>;
  bundles: ReadonlyMap<string, Bundle>;
  biomarkers: ReadonlyMap<string, Biomarker>;
  categories: ReadonlyMap<string, Category>;
  providers: ReadonlyMap<string, Provider>;
}

function byId<T extends { id: string }>(entries: T[], what: string): Map<string, T> {
  const map = new Map(entries.map((entry) => [entry.id, entry]));
  if (map.size !== entries.length) throw new Error(`the catalogue names a ${what} twice`);
  return map;
}

function requireKnown(known: ReadonlyMap<string, unknown>, ids: string[], where: string): void {
  for (const id of ids) if (!known.has(id)) throw new Error(`${where} names unknown ${id}`);
}

/** Reads the data files; throws when they contradict themselves. */
export function loadCatalogue(): Catalogue {
  const catalogue = {
    tests: byId(test.array().parse(testData), "test"),
    bundles: byId(bundle.array().parse(bundleData), "bundle"),
    biomarkers: byId(biomarker.array().parse(biomarkerData), "biomarker"),
    categories: byId(category.array().parse(categoryData), "category"),
    providers: byId(provider.array().parse(providerData), "provider"),
  };
  for (const entry of catalogue.tests.values()) {
    requireKnown(catalogue.biomarkers, entry.biomarkers, entry.id);
    requireKnown(catalogue.providers, Object.keys(entry.turnaroundDays), entry.id);
  }
  for (const entry of catalogue.bundles.values()) {
    requireKnown(catalogue.tests, entry.tests, entry.id);
  }
  for (const entry of catalogue.biomarkers.values()) {
    requireKnown(catalogue.categories, [entry.category], entry.id);
  }
  return catalogue;
}
