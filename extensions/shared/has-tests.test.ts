import { expect, test } from "vitest";
import { hasTests } from "./has-tests.ts";

const entry = (type: string, key: string) => ({ target: { type }, metafield: { key } });

test("knows an order of tests by the metafield of a product", () => {
  expect(hasTests([entry("product", "other"), entry("product", "pathway")])).toBe(true);
  expect(hasTests([])).toBe(false);
  expect(hasTests([entry("customer", "pathway"), entry("product", "other")])).toBe(false);
});
