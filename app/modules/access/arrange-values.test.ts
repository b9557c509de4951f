import { expect, test } from "vitest";
import { flagOf } from "../referrals/range.ts";
import { arrangeResult } from "./arrange-values.ts";

const marker = (value: string, isAbnormal = false, [low, high]: (number | null)[] = [1, 5]) => ({
  ...{ value, isAbnormal, rangeLow: low ?? null, rangeHigh: high ?? null },
});
const arranged = (
  biomarkers: ReturnType<typeof marker>[],
  given: Parameters<typeof arrangeResult>[1] = {},
) => arrangeResult([{ id: "c", name: "Iron", biomarkers }], given, flagOf);

test("counts each value by the word that stands beside it", () => {
  const { counts } = arranged([
    ...[marker("9", true), marker("3"), marker("Unremarkable"), marker("9")],
    ...[marker("Haemolysed – not reported"), marker("Detected"), marker("")],
  ]);
  expect(counts).toEqual({ outside: 1, within: 1, unflagged: 1, see_report: 4 });
});

const summary = (abnormal: number, critical: number, normal: number) => ({
  ...{ normal, abnormal, critical },
  total: 3,
});
test.each([
  // Two of three are counted, and one is marked.
  [summary(2, 0, 1), "outside"],
  [summary(1, 1, 1), "outside"],
  [summary(0, 2, 1), "outside"],
  // A critical one is counted as abnormal too.
  [summary(1, 1, 2), null],
  [summary(1, 0, 2), null],
  // Values of a partial result that are counted nowhere.
  [summary(0, 0, 1), null],
  [null, null],
])("beside one flagged value, %j leaves unclear: %s", (counted, unclear) => {
  const values = [marker("9", true), marker("3"), marker("3")];
  const found = arranged(values, { summary: counted });
  expect(found.unclear).toBe(unclear);
  expect(arranged([marker("3"), marker("3")], { summary: counted }).categories[0]?.says).toBe(
    counted && counted.abnormal + counted.critical > 0 ? "number" : "in_range",
  );
});

test("says first that the critical values are not told", () => {
  const alert = { level: "critical", count: 2 };
  expect(arranged([marker("9", true)], { alert, summary: summary(2, 2, 1) }).unclear).toBe(
    "critical",
  );
});

test("finds one number beyond its range, and nothing like it in several or in words", () => {
  expect(arranged([marker("9", true), marker("3")]).isOneNumber).toBe(true);
  expect(arranged([marker("9", true), marker("8", true)]).isOneNumber).toBe(false);
  expect(arranged([marker("Detected", true)]).isOneNumber).toBe(false);
  expect(arranged([marker("3")]).isOneNumber).toBe(false);
});
