import { expect, test } from "vitest";
import { exactTime } from "./format-time.ts";

test("a moment has its day and time in the shop's time zone", () => {
  expect(exactTime("2026-05-01T14:10:00Z", "Australia/Sydney")).toBe("2 May 2026, 12:10 am");
  expect(exactTime("2026-05-01T14:10:00Z", "Australia/Perth")).toBe("1 May 2026, 10:10 pm");
});

test("a day without a time is that day in every zone, and gets no time", () => {
  for (const timeZone of ["Australia/Perth", "America/Los_Angeles", "Pacific/Auckland"])
    expect(exactTime("2026-05-01", timeZone)).toBe("1 May 2026");
});
