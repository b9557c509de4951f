import { expect, test } from "vitest";
import { resultInAddress } from "./place.ts";

test.each([
  ["extension:/results/res-1", "res-1"],
  ["https://shop.example/account/pages/x/results/a%2Fb?from=order", "a/b"],
  ["extension:/", null],
  ["extension:/results/", null],
  ["extension:/results/%E0%A4%A", null],
  [null, null],
])("%j asks for %j", (address, expected) => {
  expect(resultInAddress(address)).toBe(expected);
});
