import { describe, expect, test } from "vitest";
import { flagOf, numberIn, placeInRange, zoneOf } from "./range.ts";

test.each([
  ["4.2", 4.2],
  ["<0.1", 0.1],
  [">= 90", 90],
  ["-2", -2],
  ["Not detected", null],
  ["1:40", null],
  ["", null],
])("the number in %j is %j", (value, expected) => {
  expect(numberIn(value)).toBe(expected);
});

test("a value that is nothing but space takes no time to be looked at", () => {
  const value = `${" ".repeat(200_000)}x`;
  const beganAt = performance.now();
  expect(numberIn(value)).toBeNull();
  expect(numberIn(` ${" ".repeat(200_000)}4.2\n`)).toBe(4.2);
  expect(performance.now() - beganAt).toBeLessThan(1_000);
});

test("the ends belong to the interval", () => {
  const range = { low: 3.5, high: 5.2 };
  expect([3.4, 3.5, 5.2, 5.3].map((value) => zoneOf(value, range))).toEqual([
    "below",
    "within",
    "within",
    "above",
  ]);
});

describe("placing a value on the bar", () => {
  test("a closed interval takes the middle half", () => {
    expect(placeInRange("5", { low: 0, high: 10 })).toEqual({
      zone: "within",
      valuePercent: 50,
      lowPercent: 25,
      highPercent: 75,
    });
  });
  test("a value off the bar stands at its edge and keeps its zone", () => {
    expect(placeInRange("400", { low: 0, high: 10 })).toMatchObject({
      zone: "above",
      valuePercent: 100,
    });
    expect(placeInRange("-400", { low: 0, high: 10 })).toMatchObject({
      zone: "below",
      valuePercent: 0,
    });
  });
  test("an open end reaches the edge of the bar", () => {
    expect(placeInRange("4", { low: null, high: 5 })).toMatchObject({
      lowPercent: 0,
      zone: "within",
    });
    expect(placeInRange("4", { low: null, high: 5 })?.highPercent).toBeCloseTo(66.67, 1);
    expect(placeInRange("1", { low: 2, high: null })).toMatchObject({
      highPercent: 100,
      zone: "below",
    });
  });
  test("a value of which one limit is known stands beyond the interval, or nowhere", () => {
    expect(placeInRange(">1000", { low: 30, high: 1000 })).toMatchObject({
      zone: "above",
      valuePercent: 100,
    });
    expect(placeInRange("<0.4", { low: 0.4, high: 4 })).toMatchObject({
      zone: "below",
      valuePercent: 0,
    });
    expect(placeInRange("<30", { low: 15, high: 40 })).toBeNull();
    // At its limit it would look like the worst that is expected.
    expect(placeInRange("<5", { low: null, high: 5 })).toBeNull();
  });
  test("there is no bar without a number, an interval or a width", () => {
    expect(placeInRange("Detected", { low: 1, high: 2 })).toBeNull();
    expect(placeInRange("5", { low: null, high: null })).toBeNull();
    expect(placeInRange("5", { low: 3, high: 3 })).toBeNull();
    expect(placeInRange("5", { low: null, high: 0 })).toBeNull();
  });
});

test.each([
  [{ value: "9", isAbnormal: true, rangeLow: 1, rangeHigh: 5 }, "high"],
  [{ value: "0.5", isAbnormal: true, rangeLow: 1, rangeHigh: null }, "low"],
  [{ value: "3", isAbnormal: true, rangeLow: 1, rangeHigh: 5 }, "abnormal"],
  [{ value: "Detected", isAbnormal: true, rangeLow: null, rangeHigh: null }, "abnormal"],
  [{ value: "3", isAbnormal: false, rangeLow: 1, rangeHigh: 5 }, "within"],
  // Outside the primary range, yet not flagged by the laboratory: we neither overrule it nor call it unremarkable.
  [{ value: "9", isAbnormal: false, rangeLow: 1, rangeHigh: 5 }, "see_report"],
  [{ value: "Detected", isAbnormal: false, rangeLow: null, rangeHigh: null }, "see_report"],
  [{ value: "Haemolysed", isAbnormal: false, rangeLow: 1, rangeHigh: 5 }, "see_report"],
  [{ value: "", isAbnormal: false, rangeLow: 1, rangeHigh: 5 }, "see_report"],
  [
    {
      value: "",
      formattedValue: "Not detected",
      isAbnormal: false,
      rangeLow: null,
      rangeHigh: null,
    },
    "unflagged",
  ],
  [{ value: "Not detected", isAbnormal: false, rangeLow: null, rangeHigh: null }, "unflagged"],
  [{ value: "3", isAbnormal: false, rangeLow: null, rangeHigh: null }, "unflagged"],
])("%j is said to be %s", (biomarker, word) => {
  expect(flagOf(biomarker)).toBe(word);
});

test.each([
  // Above 1,000 is beyond 1,000, although the number is the end of the interval.
  [">1000", { low: 30, high: 1000 }, true, "high"],
  [">1000", { low: 30, high: 1000 }, false, "see_report"],
  ["<0.4", { low: 0.4, high: 4 }, true, "low"],
  ["<0.4", { low: 0.4, high: 4 }, false, "see_report"],
  // It may lie on either side of 15.
  ["<30", { low: 15, high: 40 }, false, "unflagged"],
  ["<30", { low: null, high: 20 }, true, "abnormal"],
  [">2", { low: 1, high: 5 }, false, "unflagged"],
  ["≥ 60", { low: 60, high: null }, false, "within"],
  [">=5", { low: 1, high: 5 }, false, "unflagged"],
  [">90", { low: 60, high: null }, false, "within"],
  ["<5", { low: null, high: 5 }, false, "within"],
  ["<0.1", { low: 0, high: 4 }, false, "within"],
  ["<5", { low: -2, high: 6 }, false, "unflagged"],
  ["≤0.4", { low: 0.4, high: 4 }, false, "unflagged"],
])("%s beside %j, flagged: %s, is said to be %s", (value, { low, high }, isAbnormal, word) => {
  expect(flagOf({ value, isAbnormal, rangeLow: low, rangeHigh: high })).toBe(word);
});

test("says nothing of a side where the ends of a range are the wrong way round", () => {
  const range = { rangeLow: 5.5, rangeHigh: 3.5 };
  expect(flagOf({ value: "4", isAbnormal: true, ...range })).toBe("abnormal");
  expect(flagOf({ value: "4", isAbnormal: false, ...range })).toBe("unflagged");
});
