import { expect, test } from "vitest";
import { productDetails } from "./product-details.ts";

const days = (maximumDays: number | null) => ({ minimumDays: 1, maximumDays });
const catalogue = {
  tests: [
    { id: "tsh", name: "TSH", shortName: "TSH", priceCents: 1, turnaround: days(2) },
    { id: "t4", name: "Free T4", shortName: "T4", priceCents: 1, turnaround: days(5) },
    { id: "odd", name: "Odd one", shortName: "Odd", priceCents: 1, turnaround: null },
  ],
  bundles: [
    {
      id: "b",
      name: "Thyroid check",
      tests: [
        { id: "tsh", name: "TSH" },
        { id: "t4", name: "Free T4" },
      ],
    },
  ],
};
const items = (fields: object) => ({
  bundleId: null,
  tests: [],
  medicareTests: [],
  practitioner: null,
  ...fields,
});

test("a bundle is listed with its tests, each once, and the slowest says how long it takes", () => {
  const variants = [{ title: null, items: items({ bundleId: "b", tests: ["tsh"] }) }];
  expect(productDetails(variants, catalogue)).toEqual({
    name: "Thyroid check",
    testCount: 2,
    tests: ["Free T4", "TSH"],
    turnaroundDays: 5,
  });
});

test("lists a test of only one variant under the variant's name", () => {
  const variants = [
    { title: "TSH only", items: items({ tests: ["tsh"] }) },
    { title: "Full", items: items({ bundleId: "b" }) },
  ];
  expect(productDetails(variants, catalogue)?.tests).toEqual(["Free T4 (Full)", "TSH"]);
});

test("nothing is promised about what is not known", () => {
  const unknown = [{ title: null, items: items({ tests: ["odd", "tsh"] }) }];
  expect(productDetails(unknown, catalogue)).not.toHaveProperty("turnaroundDays");
  expect(
    productDetails([{ title: null, items: items({ tests: ["gone"] }) }], catalogue),
  ).toBeNull();
  expect(productDetails([], catalogue)).toBeNull();
});
