import { describe, expect, test } from "vitest";
import type { EarlierValue } from "../../modules/access/result-history.ts";
import { PICTURE, trendLine } from "./trend-line.ts";

const at = (date: string, value: string, isAbnormal = false): EarlierValue => ({
  date: `${date}T00:00:00.000Z`,
  value,
  formattedValue: `${value} ug/L`,
  isAbnormal,
  isUnclear: false,
});
const RANGE = { low: 30, high: 200 };
const OPEN = { low: null, high: null };

test.each([
  ["one value", [at("2026-01-01", "40")]],
  ["one number", [at("2025-01-01", "Not detected"), at("2026-01-01", "40")]],
  ["titres", [at("2025-01-01", "1:40"), at("2026-01-01", "1:80")]],
])("%s makes no line", (_, values) => {
  expect(trendLine(values, RANGE)).toBeNull();
});

describe("a line", () => {
  const values = [at("2024-01-01", "40"), at("2025-01-01", "<20", true), at("2026-01-01", "300")];

  test("goes across by the dates and up by the numbers, with each value as the laboratory wrote it", () => {
    const { points } = trendLine(values, RANGE) ?? { points: [] };
    expect(points.map(({ label }) => label)).toEqual(["40", "<20", "300"]);
    const [first, second, third] = points;
    expect(first?.x).toBe(PICTURE.left);
    expect(third?.x).toBe(PICTURE.width - PICTURE.right);
    expect(second?.x).toBeCloseTo(PICTURE.width / 2, 0);
    expect(third?.y).toBe(PICTURE.top);
    expect(second?.y).toBe(PICTURE.height - PICTURE.bottom);
    expect(points.map(({ isAbnormal }) => isAbnormal)).toEqual([false, true, false]);
  });

  test("has the expected range behind it; an open end reaches the edge", () => {
    const inner = trendLine(values, RANGE)?.band;
    expect(inner?.top).toBeGreaterThan(PICTURE.top);
    expect(inner?.bottom).toBeLessThan(PICTURE.height - PICTURE.bottom);
    expect(trendLine(values, { low: 30, high: null })?.band?.top).toBeLessThan(PICTURE.top);
    expect(trendLine(values, { low: 30, high: null })?.band?.edges).toHaveLength(1);
    expect(trendLine(values, OPEN)?.band).toBeNull();
  });

  test("of values that are all alike is level, within the picture", () => {
    const same = [at("2024-01-01", "5"), at("2025-01-01", "5")];
    const line = trendLine(same, OPEN);
    for (const { y } of line?.points ?? []) {
      expect(y).toBeGreaterThan(PICTURE.top);
      expect(y).toBeLessThan(PICTURE.height - PICTURE.bottom);
    }
  });

  test.each([2, 5, 13])(
    "keeps %i points apart, in sequence and inside, whatever their dates",
    (n) => {
      const crowded = Array.from({ length: n }, (_, index) =>
        at(
          index < n - 1 ? `2024-01-${String(index + 1).padStart(2, "0")}` : "2026-01-01",
          String(index),
        ),
      );
      const across = trendLine(crowded, RANGE)?.points.map(({ x }) => x) ?? [];
      expect(across).toHaveLength(n);
      for (const [index, x] of across.entries()) {
        expect(x).toBeGreaterThanOrEqual(PICTURE.left);
        expect(x).toBeLessThanOrEqual(PICTURE.width - PICTURE.right);
        if (index > 0) expect(x - (across[index - 1] ?? 0)).toBeGreaterThanOrEqual(20);
      }
    },
  );

  test("without all dates keeps the sequence", () => {
    const undated = { ...at("2026-01-01", "44"), date: "" };
    const across = trendLine([...values, undated], RANGE)?.points.map(({ x }) => x) ?? [];
    expect(across).toEqual(across.toSorted((a, b) => a - b));
    expect(across).not.toContain(Number.NaN);
  });
});
