import { expect, test } from "vitest";
import { unitText } from "./unit-text.ts";

test.each([
  ["10^9/L", "10⁹/L"],
  ["4.5 10^12/L", "4.5 10¹²/L"],
  ["10*9/L", "10⁹/L"],
  ["mL/min/1.73m^2", "mL/min/1.73m²"],
  ["10^-3 mol/L", "10⁻³ mol/L"],
  ["mmol/L", "mmol/L"],
  ["1:40 * dilution", "1:40 * dilution"],
])("%s is written %s", (raw, written) => {
  expect(unitText(raw)).toBe(written);
});
