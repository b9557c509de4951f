import { expect, test } from "vitest";
import { costOf } from "./cost.ts";

const catalogue = {
  tests: [
    { id: "iron", priceCents: 2500 },
    { id: "lipids", priceCents: 1800 },
    { id: "tsh", priceCents: 3000 },
  ],
  bundles: [
    {
      id: "wellness",
      tests: [
        { id: "iron", name: "Iron" },
        { id: "lipids", name: "Lipids" },
      ],
    },
  ],
};

test("tests cost the sum of their prices", () => {
  expect(costOf({ bundleId: null, tests: ["iron", "tsh"] }, catalogue)).toEqual({
    cents: 5500,
    isEstimate: false,
  });
});

test("a test that comes with the bundle is paid once, and the sum is an estimate", () => {
  expect(costOf({ bundleId: "wellness", tests: ["iron", "tsh"] }, catalogue)).toEqual({
    cents: 7300,
    isEstimate: true,
  });
});

test("nothing is known about the cost of what the catalogue lacks", () => {
  expect(costOf({ bundleId: null, tests: ["gone"] }, catalogue)).toBeNull();
  expect(costOf({ bundleId: "gone", tests: [] }, catalogue)).toBeNull();
});
