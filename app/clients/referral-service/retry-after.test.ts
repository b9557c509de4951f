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
  ["1.5", 1500],
  ["0.2", 200],
  ["0.0004", 1],
  ["5.", 5000],
  ["99999999999999999999999", 3600_000],
  ["-5", null],
  ["-1.5", null],
  ["1,5", null],
  ["1e3", null],
  ["5s", null],
  ["2026-11-20T00:01:00Z", 60_000],
  ["Friday, 20-Nov-26 00:01:00 GMT", 60_000],
  ["Fri Nov 20 00:01:00 2026", 60_000],
  ["soon", null],
  ["", null],
  [null, null],
])("%s means %s ms", (header, expected) => {
  expect(retryAfterMs(header, now)).toBe(expected);
});
