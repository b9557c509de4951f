import { isDay } from "../../platform/calendar-day.ts";
import { dateFormat } from "../../platform/date-formats.ts";

const relative = new Intl.RelativeTimeFormat("en-AU", { numeric: "auto" });
const STEPS = [
  { unit: "day", ms: 86_400_000 },
  { unit: "hour", ms: 3_600_000 },
  { unit: "minute", ms: 60_000 },
] as const;

/** "5 minutes ago", "yesterday". Both times are ISO 8601. */
export function timeAgo(at: string, now: string): string {
  const differenceMs = Date.parse(at) - Date.parse(now);
  for (const { unit, ms } of STEPS) {
    if (Math.abs(differenceMs) >= ms) return relative.format(Math.round(differenceMs / ms), unit);
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
