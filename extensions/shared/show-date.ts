import type { Host } from "./host.ts";

/** The shop's, as IANA names it; unknown to an app of an earlier version. */
type TimeZone = string | null | undefined;

const SYDNEY = "Australia/Sydney";

/** A date as the shop's people read it, in the shop's time zone. A day without a time is the same day everywhere. */
export const showDate = (
  i18n: Host["i18n"],
  at: string,
  timeZone: TimeZone,
  dateStyle: "medium" | "long",
): string =>
  i18n.formatDate(new Date(at), {
    dateStyle,
    timeZone: /^\d{4}-\d\d-\d\d$/.test(at) ? "UTC" : (timeZone ?? SYDNEY),
  });

/** A moment as "22 Nov 2026, 9:05 am AEDT": the reader may be in another zone than the shop. */
export const showMoment = (i18n: Host["i18n"], at: string, timeZone: TimeZone): string =>
  i18n.formatDate(new Date(at), {
    ...{ day: "numeric", month: "short", year: "numeric", hour: "numeric", minute: "numeric" },
    ...{ timeZoneName: "short", timeZone: timeZone ?? SYDNEY },
  });
