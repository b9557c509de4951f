import { expect, test } from "vitest";
import { hostOfLocale } from "../../testing/host-of-locale.ts";
import { rangeText } from "./range-text.ts";

test("intervals in words keep small numbers exact and say which end is open", () => {
  const { i18n } = hostOfLocale("my-tests");
  expect(rangeText(i18n, { low: 0.0005, high: 1200 }, "mg/L")).toBe("0.0005 to 1,200 mg/L");
  expect(rangeText(i18n, { low: null, high: 5.5 }, null)).toBe("up to 5.5");
  expect(rangeText(i18n, { low: 1, high: null }, "mmol/L")).toBe("from 1 mmol/L");
  expect(rangeText(i18n, { low: null, high: null }, "mmol/L")).toBeNull();
});
