import { describe, expect, test } from "vitest";
import { DAY } from "../../../../test/samples/facts.ts";
import { sampleTenant } from "../../../../test/samples/tenant.ts";
import type { Mapping } from "../../catalogue/mapping.ts";
import { gid, type VariantId } from "../../kernel/ids.ts";
import type { StoreOrderLine } from "../order.ts";
import { mappingsOf, matchLines, variantsIn, withSoldVariants } from "./match-lines.ts";

const line = (id: number, variant: number | null): StoreOrderLine => ({
  id: gid("LineItem", id),
  title: "",
  sku: null,
  productId: gid("Product", 1),
  variantId: variant === null ? null : gid("ProductVariant", variant),
  quantity: 1,
  currentQuantity: 1,
});
const base = {
  environment: "staging",
  productId: gid("Product", 1),
  variantId: gid("ProductVariant", 1),
  updatedAt: DAY,
} as const;
const items = { bundleId: "b1", tests: [], medicareTests: [], practitioner: null };
const ordered: Mapping = { ...base, kind: "order", items };
const ignored: Mapping = { ...base, kind: "ignored" };

test("says of each line what its variant means", () => {
  const mappings = new Map<VariantId, Mapping>([
    [gid("ProductVariant", 1), ordered],
    [gid("ProductVariant", 2), ignored],
  ]);
  const lines = [line(1, 1), line(2, 2), line(3, 3), line(4, null)];
  expect(matchLines(lines, mappings)).toEqual(
    new Map([
      [gid("LineItem", 1), { state: "mapped", mapping: ordered }],
      [gid("LineItem", 2), { state: "ignored", mapping: ignored }],
      [gid("LineItem", 3), { state: "unmapped", mapping: null }],
      [gid("LineItem", 4), { state: "unmapped", mapping: null }],
    ]),
  );
});

test("takes a gift card for no test, whatever its product is mapped to", () => {
  const mappings = new Map<VariantId, Mapping>([[gid("ProductVariant", 1), ordered]]);
  const lines = [
    { ...line(1, 1), isGiftCard: true },
    { ...line(2, null), isGiftCard: true },
  ];
  expect([...matchLines(lines, mappings).values()]).toEqual([
    { state: "ignored", mapping: null },
    { state: "ignored", mapping: null },
  ]);
});

test("names the variants of the lines that have one", () => {
  expect(variantsIn([line(1, 5), line(2, null), line(3, 6)])).toEqual([
    gid("ProductVariant", 5),
    gid("ProductVariant", 6),
  ]);
});

test("remembers what a line sold once the store names it no more", async () => {
  const id = gid("Order", 1);
  const sold = new Map([
    [gid("LineItem", 1), { variantId: gid("ProductVariant", 5), productId: null }],
    [gid("LineItem", 2), { variantId: gid("ProductVariant", 6), productId: null }],
  ]);
  const tenant = sampleTenant({
    orders: { variantsOf: async (order) => (order === id ? sold : new Map()) },
  });
  const lines = [line(1, null), line(2, 7), line(3, null)];
  expect(await withSoldVariants(tenant, { id, lines })).toEqual([
    line(1, 5),
    line(2, 7),
    line(3, null),
  ]);
});

describe("the parts of a Shopify bundle", () => {
  const BUNDLE = { variantId: gid("ProductVariant", 9), productId: gid("Product", 9) };
  const part = (id: number, variant: number) => ({ ...line(id, variant), bundle: BUNDLE });
  const known = (...kinds: [number, Mapping][]) =>
    new Map<VariantId, Mapping>(kinds.map(([id, mapping]) => [gid("ProductVariant", id), mapping]));
  const said = (mappings: Map<VariantId, Mapping>, ...lines: StoreOrderLine[]) =>
    [...matchLines(lines, mappings).values()].map(({ state, isOfBundle }) =>
      isOfBundle ? `${state}, of a bundle` : state,
    );

  test("are looked up with the bundle itself, by variant and by product", async () => {
    const asked: unknown[] = [];
    const mappings = known([9, ordered]);
    const tenant = sampleTenant({
      mappings: {
        async forVariants(...words) {
          asked.push(...words);
          return mappings;
        },
      },
    });
    const unknown = { ...line(2, null), productId: gid("Product", 2) };
    const found = await mappingsOf(tenant, "staging", [part(1, 5), unknown, line(3, 6)]);
    expect(found).toBe(mappings);
    const [five, six, nine] = [5, 6, 9].map((id) => gid("ProductVariant", id));
    const product = gid("Product", 1);
    expect(asked).toEqual([
      "staging",
      [five, six, nine],
      new Map([
        [five, product],
        [six, product],
        [nine, BUNDLE.productId],
      ]),
    ]);
  });

  test("need a person where the bundle alone is mapped to a test", () => {
    const mappings = known([9, ordered], [2, ignored]);
    expect(said(mappings, part(1, 2), part(2, 3), line(3, 2))).toEqual([
      "unmapped, of a bundle",
      "unmapped, of a bundle",
      "ignored",
    ]);
  });

  test("mean what each of them means where one of them is a test", () => {
    const mappings = known([9, ordered], [1, ordered], [2, ignored]);
    expect(said(mappings, part(1, 1), part(2, 2), part(3, 3))).toEqual([
      "mapped",
      "ignored",
      "unmapped",
    ]);
  });

  test("mean what each of them means where the bundle is no test", () => {
    expect(said(known([9, ignored], [2, ignored]), part(1, 2), part(2, 3))).toEqual([
      "ignored",
      "unmapped",
    ]);
    expect(said(known([2, ignored]), part(1, 2))).toEqual(["ignored"]);
  });
});
