import { TIME_ZONE } from "../../platform/calendar-day.ts";
/** "22 November 2026", as the shop's people read it. */
export const longDate = (date: Date): string =>
  date.toLocaleDateString("en-AU", { dateStyle: "long", timeZone: TIME_ZONE });

/** "22 Nov 2026", for lists. */
export const shortDate = (date: Date): string =>
  date.toLocaleDateString("en-AU", { dateStyle: "medium", timeZone: TIME_ZONE });

/** "22 November 2026 at 9:05 am". */
export const longMoment = (date: Date): string =>
  date.toLocaleString("en-AU", { dateStyle: "long", timeStyle: "short", timeZone: TIME_ZONE });
