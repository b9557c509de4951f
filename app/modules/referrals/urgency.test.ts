import { expect, test } from "vitest";
import { HOLD_REASONS, isUrgent, URGENT_HELD, URGENT_SHOWN } from "./urgency.ts";

const summary = (critical: number) => ({ normal: 1, abnormal: 1, critical, total: 2 + critical });

test("cannot let a critical value wait, nor a result without a summary", () => {
  expect(isUrgent({ biomarkerSummary: summary(1) })).toBe(true);
  expect(isUrgent({ biomarkerSummary: null })).toBe(true);
  expect(isUrgent({ biomarkerSummary: summary(0) })).toBe(false);
});

test("ends the reasons of a hold by a release only, never that of a result that was shown", () => {
  // These are stored, and the database writes the first one too.
  expect([...HOLD_REASONS]).toEqual(["results_held", "urgent_result_held"]);
  expect([URGENT_HELD, URGENT_SHOWN]).toEqual(["urgent_result_held", "urgent_result_shown"]);
});
