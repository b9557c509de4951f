const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** "05 Mar 1987" from YYYY-MM-DD. */
export function printedDate(isoDate: string): string {
  const [year = "", month = "", day = ""] = isoDate.slice(0, 10).split("-");
  return `${day} ${months[Number(month) - 1] ?? month} ${year}`;
}

const sydney = new Intl.DateTimeFormat("en-AU", {
  timeZone: "Australia/Sydney",
  day: "2-digit",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  hour12: false,
});

/** "20 Nov 2026, 09:15" in the eastern time zone, where the service has its seat. */
export function printedTime(timeMs: number): string {
  return sydney.format(new Date(timeMs));
}

/** Age in whole years on a day. */
export function ageOn(dob: string, timeMs: number): number {
  const birth = new Date(`${dob}T00:00:00Z`);
  const day = new Date(timeMs);
  const beforeBirthday =
    day.getUTCMonth() < birth.getUTCMonth() ||
    (day.getUTCMonth() === birth.getUTCMonth() && day.getUTCDate() < birth.getUTCDate());
  return day.getUTCFullYear() - birth.getUTCFullYear() - (beforeBirthday ? 1 : 0);
}
