import fc from "fast-check";
import { expect, test } from "vitest";
import { createSuggester, itemsOf } from "./suggest.ts";

const catalogue = {
  tests: [
    { id: "full-blood-count", name: "Full blood count", shortName: "FBC" },
    { id: "iron-studies", name: "Iron studies", shortName: "Iron" },
    { id: "tsh", name: "Thyroid stimulating hormone", shortName: "TSH" },
    { id: "vitamin-d", name: "Vitamin D", shortName: "Vit D" },
    { id: "vitamin-k", name: "Phylloquinone", shortName: "Phyllo" },
    { id: "vitamin-b12", name: "Vitamin B12", shortName: "B12" },
  ],
  bundles: [
    { id: "b-ehc", name: "Essential health check" },
    { id: "b-men", name: "Men's health check" },
  ],
};
const suggest = createSuggester(catalogue);
const named = (
  productTitle: string,
  sku: string | null = null,
  variantTitle: string | null = null,
) => suggest({ productTitle, sku, variantTitle });
const only = (id: string, reason: string) => ({ kind: "one", candidate: { id, reason } });

test.each([
  ["a SKU that is the id", named("Blue box", "FULL_BLOOD_COUNT"), "full-blood-count", "same_sku"],
  ["a SKU that is the bundle's name", named("Box", "essential-health-check"), "b-ehc", "same_sku"],
  ["a SKU that is the short name", named("Box", "vit-d"), "vitamin-d", "same_sku"],
  ["the name, in another case", named("ESSENTIAL Health Check"), "b-ehc", "same_name"],
  [
    "the name among filling words",
    named("The iron studies blood test"),
    "iron-studies",
    "same_name",
  ],
  ["the name in another order", named("Studies: iron"), "iron-studies", "same_name"],
  ["an apostrophe written otherwise", named("Men’s Health Check"), "b-men", "same_name"],
  ["the variant's name", named("Thyroid", null, "TSH"), "tsh", "same_short_name"],
  ["the short name", named("FBC"), "full-blood-count", "same_short_name"],
  ["an id that is written as a name", named("Vitamin K test"), "vitamin-k", "same_short_name"],
  ["a duplicate's name", named("Copy of Copy of Vitamin D"), "vitamin-d", "same_name"],
  ["most words", named("Full blood count express"), "full-blood-count", "similar_name"],
])("%s is recognised, with its reason", (_, found, id, reason) => {
  expect(found).toMatchObject(only(id, reason));
});

test.each([
  "Gift card",
  "Cotton swabs",
  "Vitamin C",
  "Test",
  "",
  "🩸",
  "%_\\ OR 1=1",
  "constructor",
])("nothing is suggested for “%s”", (name) => {
  expect(named(name)).toBeNull();
});

test.each([
  ["Health check", "Essential", "Advanced", "b-ehc"],
  ["Women’s full blood count and iron", "Full blood count", "Ferritin", "full-blood-count"],
  ["Vitamin", "D", "C", "vitamin-d"],
])("of %s, %s is recognised and %s is not taken for it", (product, known, unknown, id) => {
  expect(named(product, null, known)).toMatchObject({ kind: "one", candidate: { id } });
  expect(named(product, null, unknown)).toBeNull();
});

test.each([
  ["Essential health check", "Basic"],
  ["Essential health check for women and men", "Advanced"],
])("the name of %s alone suggests nothing for its variant %s", (product, title) => {
  expect(named(product, null, title)).toBeNull();
});

test("a variant's title of filling words tells nothing apart", () => {
  expect(named("Vitamin D", null, "Blood test")).toMatchObject(only("vitamin-d", "same_name"));
});

test("of two that are equally good neither is chosen, and both are offered", () => {
  const twins = createSuggester({
    tests: [
      { id: "crp-1", name: "C-reactive protein", shortName: "CRP" },
      { id: "crp-2", name: "C-reactive protein", shortName: "CRP" },
    ],
    bundles: [],
  });
  const found = twins({ productTitle: "C-Reactive Protein", variantTitle: null, sku: null });
  expect(found).toMatchObject({ kind: "several", candidates: [{ id: "crp-1" }, { id: "crp-2" }] });
});

test("a bundle and a test of one name are both offered", () => {
  const twins = createSuggester({
    tests: [{ id: "t", name: "Thyroid", shortName: "Thyroid" }],
    bundles: [{ id: "b", name: "Thyroid" }],
  });
  expect(twins({ productTitle: "Thyroid test", variantTitle: null, sku: null })).toMatchObject({
    kind: "several",
  });
});

test("the SKU decides where names are alike", () => {
  expect(named("Vitamin", "VITAMIN-B12")).toMatchObject(only("vitamin-b12", "same_sku"));
});

test("the answer is the same each time, whatever the name and the catalogue's order", () => {
  const turned = createSuggester({
    tests: catalogue.tests.toReversed(),
    bundles: catalogue.bundles.toReversed(),
  });
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.option(fc.string()), (productTitle, sku) => {
      const variant = { productTitle, sku, variantTitle: null };
      expect(suggest(variant)).toEqual(turned(variant));
    }),
    { numRuns: 50 },
  );
});

test("accepting orders the thing and nothing else", () => {
  const nothing = { medicareTests: [], practitioner: null };
  expect(itemsOf({ kind: "bundle", id: "b" })).toEqual({ ...nothing, bundleId: "b", tests: [] });
  expect(itemsOf({ kind: "test", id: "t" })).toEqual({ ...nothing, bundleId: null, tests: ["t"] });
});
