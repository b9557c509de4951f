import { expect, test } from "vitest";
import { exactTime, timeAgo } from "./format-time.ts";

test("a moment has its day and time in the shop's time zone", () => {
  expect(exactTime("2026-05-01T14:10:00Z", "Australia/Sydney")).toBe("2 May 2026, 12:10 am");
  expect(exactTime("2026-05-01T14:10:00Z", "Australia/Perth")).toBe("1 May 2026, 10:10 pm");
});

test("a day without a time is that day in every zone, and gets no time", () => {
  for (const timeZone of ["Australia/Perth", "America/Los_Angeles", "Pacific/Auckland"])
    expect(exactTime("2026-05-01", timeZone)).toBe("1 May 2026");
});

/** Told in Sydney, whose clocks went back at 16:00 UTC on 4 April 2026 and forward at 16:00 UTC on 3 October. */
test.each([
  ["2026-05-01T14:10:00Z", "2026-05-01T14:10:20Z", "just now"],
  ["2026-05-01T13:50:00Z", "2026-05-01T14:10:00Z", "20 minutes ago"],
  ["2026-05-01T13:10:20Z", "2026-05-01T14:10:00Z", "59 minutes ago"],
  ["2026-05-01T12:30:00Z", "2026-05-01T14:10:00Z", "1 hour ago"],
  ["2026-04-30T14:20:00Z", "2026-05-01T14:10:00Z", "23 hours ago"],
  ["2026-04-30T13:00:00Z", "2026-05-01T13:30:00Z", "yesterday"],
  ["2026-05-01T00:00:00Z", "2026-05-02T13:30:00Z", "yesterday"],
  ["2026-04-30T13:30:00Z", "2026-05-01T14:10:00Z", "2 days ago"],
  ["2025-12-30T12:00:00Z", "2025-12-31T13:10:00Z", "2 days ago"],
  ["2026-04-04T13:05:00Z", "2026-04-05T13:30:00Z", "24 hours ago"],
  ["2026-10-02T14:30:00Z", "2026-10-03T14:30:00Z", "yesterday"],
  ["2026-05-03T00:00:00Z", "2026-05-01T13:30:00Z", "in 2 days"],
])("%s is told at %s by the calendar's days: %s", (at, now, told) => {
  expect(timeAgo(at, now, "Australia/Sydney")).toBe(told);
});
