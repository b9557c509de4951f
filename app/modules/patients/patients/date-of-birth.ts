const MONTHS = [
  ...["January", "February", "March", "April", "May", "June"],
  ...["July", "August", "September", "October", "November", "December"],
];

/**
 * Says in a sentence why a typed date of birth is wrong; null for a day of the calendar as YYYY-MM-DD. A form
 * with three fields joins them with hyphens, so a missing part stands between two of them.
 */
export function calendarFault(typed: string): string | null {
  const [year = "", month = "", day = "", ...rest] = typed.split("-");
  const missing = [day === "" && "day", month === "" && "month", year === "" && "year"].filter(
    (part) => part !== false,
  );
  if (missing.length === 3) return "Enter the date of birth.";
  if (rest.length > 0 || ![year, month, day].every((part) => /^\d*$/.test(part)))
    return "Enter the date of birth in numbers: day, month and year.";
  if (missing.length > 0) return `Date of birth must include a ${missing.join(" and a ")}.`;
  if (year.length !== 4) return "The year of birth needs four digits, for example 1985.";
  const name = MONTHS[Number(month) - 1];
  if (!name) return "The month of birth must be a number from 1 to 12.";
  const days = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  if (Number(day) < 1 || Number(day) > 31) return "The day of birth must be a number from 1 to 31.";
  if (Number(day) > days) return `${name} ${year} had only ${days} days.`;
  if (month.length !== 2 || day.length !== 2)
    return "Enter the date of birth in numbers: day, month and year.";
  return null;
}
