import { expect, test } from "vitest";
import { calendarDay, dayOf, isTimeZone } from "./calendar-day.ts";

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
