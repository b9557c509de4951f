import { calendarDay, isDay } from "../../platform/calendar-day.ts";
import { dateFormat } from "../../platform/date-formats.ts";

const relative = new Intl.RelativeTimeFormat("en-AU", { numeric: "auto" });
const DAY_MS = 86_400_000;
const STEPS = [
  { unit: "hour", ms: 3_600_000 },
  { unit: "minute", ms: 60_000 },
] as const;

/**
 * "5 minutes ago", "yesterday". Both times are ISO 8601. From 24 hours on, days are those of the calendar in the time zone:
 * the exact time beside it must not name another day. Nothing is rounded up, so no hour is told before it is full.
 */
export function timeAgo(at: string, now: string, timeZone: string): string {
  const differenceMs = Date.parse(at) - Date.parse(now);
  if (Math.abs(differenceMs) >= DAY_MS) {
    const day = (moment: string) => Date.parse(calendarDay(new Date(moment), timeZone));
    const days = (day(at) - day(now)) / DAY_MS;
    // The day on which the clocks go back has 25 hours.
    if (days !== 0) return relative.format(days, "day");
  }
  for (const { unit, ms } of STEPS) {
    if (Math.abs(differenceMs) >= ms) return relative.format(Math.trunc(differenceMs / ms), unit);
  }
  return "just now";
}

/** "20 Nov 2026, 9:41 am" in a time zone. A day without a time is the same day everywhere, and gets none. */
export function exactTime(at: string, timeZone: string): string {
  const day = { day: "numeric", month: "short", year: "numeric" } as const;
  if (isDay(at)) return dateFormat("en-AU", { ...day, timeZone: "UTC" }).format(new Date(at));
  return dateFormat("en-AU", { ...day, hour: "numeric", minute: "2-digit", timeZone })
    .format(new Date(at))
    .replace("\u202f", " ");
}
