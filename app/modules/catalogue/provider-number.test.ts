import { expect, test } from "vitest";
import { isProviderNumber } from "./provider-number.ts";

test("a provider number needs the check character of its stem and location", () => {
  expect(isProviderNumber("2426621B")).toBe(true);
  // Another location has another check character.
  expect(isProviderNumber("2426622B")).toBe(false);
  expect(isProviderNumber("2426631B")).toBe(false);
  expect(isProviderNumber("2426621A")).toBe(false);
});

test("refuses a number that is too short, too long or has letters that are not used for locations", () => {
  for (const value of ["", "242662", "242662B", "24266211B", "242662IB", "2426621b"])
    expect(isProviderNumber(value)).toBe(false);
});
