import type { Host } from "./host.ts";

/** A date as the shop's people read it, in the shop's time zone. A day without a time is the same day everywhere. */
export const showDate = (
  i18n: Host["i18n"],
  at: string,
  {
    timeZone,
    ...options
  }: Omit<Intl.DateTimeFormatOptions, "timeZone"> & { timeZone: string | null | undefined },
): string =>
  i18n.formatDate(new Date(at), {
    ...options,
    timeZone: /^\d{4}-\d\d-\d\d$/.test(at) ? "UTC" : (timeZone ?? "Australia/Sydney"),
  });
