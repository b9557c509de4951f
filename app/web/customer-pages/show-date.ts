import { isDay } from "../../platform/calendar-day.ts";
import { dateFormat, zoneNameAt } from "../../platform/date-formats.ts";

/** How people at the shop read a date. A day without a time is the same day in every zone. */
const show = (date: Date | string, timeZone: string, options: Intl.DateTimeFormatOptions): string =>
  dateFormat("en-AU", {
    ...options,
    timeZone: typeof date === "string" && isDay(date) ? "UTC" : timeZone,
  }).format(new Date(date));

/** "22 November 2026", in the shop's time zone. */
export const longDate = (date: Date | string, timeZone: string): string =>
  show(date, timeZone, { dateStyle: "long" });

/** "22 Nov 2026", for lists. */
export const shortDate = (date: Date | string, timeZone: string): string =>
  show(date, timeZone, { dateStyle: "medium" });

/** "Nov 2026", where there is no room for more. */
export const monthOf = (date: Date | string, timeZone: string): string =>
  show(date, timeZone, { month: "short", year: "numeric" });

/** "22 November 2026 at 9:05 am AEDT": the reader may be in another zone than the shop. */
export const longMoment = (date: Date, timeZone: string): string =>
  `${show(date, timeZone, { dateStyle: "long", timeStyle: "short" })} ${zoneNameAt(date, timeZone)}`;
