import { expect, test } from "vitest";
import { changeSince } from "./change-since.ts";

test.each([
  ["44", "38", "higher"],
  ["9.8", "10.2", "lower"],
  ["5.0", "5", "same"],
  ["-1", "-2", "higher"],
  // Beyond what the laboratory can measure: 0.05 may be less or more than "<0.1".
  ["0.05", "<0.1", null],
  ["<0.1", "<0.1", null],
  [">90", "85", null],
  ["Not detected", "Detected", null],
  ["1:40", "1:80", null],
  ["", "5", null],
])("%s after %s is %s", (value, before, change) => {
  expect(changeSince(value, before)).toBe(change);
});
