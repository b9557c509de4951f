import { expect, test } from "vitest";
import {
  wireBiomarker,
  wireResult,
} from "../../../clients/referral-service/testing/wire-samples.ts";
import { resultSchema } from "../../../clients/referral-service/wire/result.ts";
import { isCorrection } from "./corrected.ts";

type Marker = Record<string, unknown>;
const of = (critical: number, ...markers: Marker[]) =>
  resultSchema.parse(
    wireResult({
      biomarkerSummary: { normal: 1, abnormal: 0, critical, total: 2 },
      biomarkers: markers.map((fields) => wireBiomarker(fields)),
    }),
  );
const before = of(1, { id: "a", value: "5" }, { id: "b", value: "7" });

test.each<[string, ReturnType<typeof of>]>([
  ["another value", of(1, { id: "a", value: "6" }, { id: "b", value: "7" })],
  ["another unit", of(1, { id: "a", value: "5", unit: "mg/L" }, { id: "b", value: "7" })],
  ["another mark", of(1, { id: "a", value: "5", isAbnormal: true }, { id: "b", value: "7" })],
  ["a value that is gone", of(1, { id: "a", value: "5" })],
  ["a critical value that is none", of(0, { id: "a", value: "5" }, { id: "b", value: "7" })],
])("takes %s for a correction", (_, now) => {
  expect(isCorrection(before, now)).toBe(true);
});

test.each<[string, ReturnType<typeof of>]>([
  ["the same in another sequence", of(1, { id: "b", value: "7" }, { id: "a", value: "5" })],
  ["one more", of(1, { id: "a", value: "5" }, { id: "b", value: "7" }, { id: "c" })],
  ["one more critical", of(2, { id: "a", value: "5" }, { id: "b", value: "7" })],
  ["another note", of(1, { id: "a", value: "5", notes: "Repeat" }, { id: "b", value: "7" })],
])("takes %s for none", (_, now) => {
  expect(isCorrection(before, now)).toBe(false);
});

test("takes a value in the place of none for no correction", () => {
  const pending = of(0, { id: "a", value: "Pending", formattedValue: "Pending" });
  expect(isCorrection(pending, of(0, { id: "a", value: "5" }))).toBe(false);
});

test("finds one of two equal values gone", () => {
  const twice = of(0, { id: "a", value: "5" }, { id: "a", value: "5" });
  expect(isCorrection(twice, of(0, { id: "a", value: "5" }))).toBe(true);
  expect(isCorrection(twice, twice)).toBe(false);
});
