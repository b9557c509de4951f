import { dateFormat } from "./date-formats.ts";

/** Days are told in this time zone where the store has not told its own. */
export const TIME_ZONE = "Australia/Sydney";

/** The day of a moment somewhere, as YYYY-MM-DD, which compares as it stands. `timeZone` as IANA names it. */
export const calendarDay = (moment: Date, timeZone: string = TIME_ZONE): string =>
  // Canada writes days as ISO 8601 does.
  dateFormat("en-CA", { timeZone }).format(moment);

/** Region and place, so that an offset or an abbreviation, which knows no summer, is none. */
const ZONE_NAME = /^(UTC|[A-Za-z]+(\/[A-Za-z0-9_+-]+)+)$/;

/** Whether this is the name of a time zone that dates can be written in. */
export function isTimeZone(name: string): boolean {
  if (!ZONE_NAME.test(name)) return false;
  try {
    dateFormat("en-AU", { timeZone: name });
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** Whether this is a day and no moment: it is the same day everywhere. */
export const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text);

/** The day of what a service wrote, a moment or a day, as YYYY-MM-DD; null for what is neither. */
export function dayOf(written: string, timeZone: string): string | null {
  if (isDay(written)) return written;
  const moment = new Date(written);
  return Number.isNaN(moment.getTime()) ? null : calendarDay(moment, timeZone);
}

/** The moment at which a day (YYYY-MM-DD) begins somewhere. `timeZone` as IANA names it. */
export function startOfDay(day: string, timeZone: string): Date {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  // The second step is for a day on which the clocks change.
  const guess = midnight - aheadAt(midnight, timeZone);
  return new Date(midnight - aheadAt(guess, timeZone));
}

/** By how much clocks somewhere are ahead of UTC at a moment, in milliseconds. */
function aheadAt(moment: number, timeZone: string): number {
  const written = dateFormat("sv-SE", {
    ...{ timeZone, dateStyle: "short", timeStyle: "medium" },
  }).format(moment);
  return Date.parse(`${written.replace(" ", "T")}Z`) - moment;
}
