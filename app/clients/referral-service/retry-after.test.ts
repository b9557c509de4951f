import { expect, test } from "vitest";
import { retryAfterMs } from "./retry-after.ts";

const now = new Date("2026-11-20T00:00:00Z");

test.each<[string | null, number | null]>([
  ["0", 0],
  ["7", 7000],
  [" 7 ", 7000],
  ["Fri, 20 Nov 2026 00:01:00 GMT", 60_000],
  ["Thu, 19 Nov 2026 00:00:00 GMT", 0],
  ["999999999", 3600_000],
  ["soon", null],
  ["", null],
  [null, null],
])("%s means %s ms", (header, expected) => {
  expect(retryAfterMs(header, now)).toBe(expected);
});
