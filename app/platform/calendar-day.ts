/** Days are told in this time zone where nobody has said another. */
export const TIME_ZONE = "Australia/Sydney";

/** The day of a moment somewhere, as YYYY-MM-DD, which compares as it stands. `timeZone` as IANA names it. */
export const calendarDay = (moment: Date, timeZone: string = TIME_ZONE): string =>
  // Canada writes days as ISO 8601 does.
  new Intl.DateTimeFormat("en-CA", { timeZone }).format(moment);
