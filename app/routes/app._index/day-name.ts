const format = new Intl.DateTimeFormat("en-AU", {
  day: "numeric",
  month: "short",
  timeZone: "UTC",
});

/** "20 Nov" of YYYY-MM-DD. */
export const dayName = (day: string) => format.format(new Date(`${day}T12:00:00Z`));
