import { expect, test } from "vitest";
import { calendarDay, dayOf, isTimeZone, startOfDay } from "./calendar-day.ts";

test("a moment is another day in Perth than in Sydney; a day is the same in both", () => {
  const moment = "2026-05-01T14:10:00Z";
  expect(calendarDay(new Date(moment), "Australia/Sydney")).toBe("2026-05-02");
  expect(calendarDay(new Date(moment), "Australia/Perth")).toBe("2026-05-01");
  expect(dayOf("2026-05-01", "America/Los_Angeles")).toBe("2026-05-01");
  expect(dayOf("no date", "Australia/Perth")).toBe(null);
});

test("a time zone has a region and a place; offsets, abbreviations and inventions are none", () => {
  for (const name of ["Australia/Perth", "America/Argentina/Buenos_Aires", "UTC"])
    expect(isTimeZone(name), name).toBe(true);
  for (const name of ["", "+10:00", "AEST", "Australia/Atlantis", "Australia/Perth'; --"])
    expect(isTimeZone(name), name).toBe(false);
});

test.each([
  ["2026-11-26", "Australia/Sydney", "2026-11-25T13:00:00.000Z"],
  ["2026-11-26", "Australia/Perth", "2026-11-25T16:00:00.000Z"],
  // The clocks go back in the night to the 5th, and forward in the one to the 4th.
  ["2026-04-05", "Australia/Sydney", "2026-04-04T13:00:00.000Z"],
  ["2026-04-06", "Australia/Sydney", "2026-04-05T14:00:00.000Z"],
  ["2026-10-04", "Australia/Sydney", "2026-10-03T14:00:00.000Z"],
  ["2026-10-05", "Australia/Sydney", "2026-10-04T13:00:00.000Z"],
  ["2026-11-26", "Pacific/Honolulu", "2026-11-26T10:00:00.000Z"],
])("%s begins in %s at %s", (day, zone, moment) => {
  expect(startOfDay(day, zone).toISOString()).toBe(moment);
});
