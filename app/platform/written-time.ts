/** As nearly all times are written, of a day that each month has: read without another look, for lists have thousands. */
const USUAL = /^\d{4}-(?:0\d|1[0-2])-(?:[01]\d|2[0-8])T\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
/** ISO 8601, and what is often written for it: a space for the T, a comma for the point, hours alone as an offset. */
const ISO =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?)(?: ?(Z|GMT|UTC|[+-]\d\d(?::?\d\d)?))?)?$/i;
/** Counts of milliseconds passed 100,000,000,000 in 1973; counts of seconds will in 5138. */
const FIRST_COUNT = 1e8;
const FIRST_COUNT_OF_MS = 1e11;
const COUNT = /^\d{9,}(?:\.\d+)?$/;
const FEW_DIGITS = /^\d*$/;
/** Day and month as numbers, in an order that nobody tells. */
const EITHER_ORDER = /^\d{1,2}[./-]\d{1,2}[./-]\d/;
/** A day that not every month has. Those of a clock stand at a colon. */
const LATE_DAY = /(?<![\d:+-])(?:29|30|31)(?![\d:])/;

/** A written date: its day, and its moment where it says where its clock stood. */
interface Written {
  day: string;
  time: string | null;
  /** As ISO 8601 has it. */
  offset: string | null;
}

function partsOf(written: string): Written | null {
  const [, day, time, offset] = ISO.exec(written.trim()) ?? [];
  if (!day) return null;
  return { day, time: time?.replace(",", ".") ?? null, offset: offset ? isoOffset(offset) : null };
}

function isoOffset(written: string): string {
  const [, hours, minutes = "00"] = /^([+-]\d\d):?(\d\d)?$/.exec(written) ?? [];
  return hours ? `${hours}:${minutes}` : "Z";
}

/**
 * The moment that somebody wrote, in milliseconds; NaN when it is none. A time without its offset is read as UTC, never by this
 * machine's clock. A number counts from 1970, in seconds or milliseconds.
 */
export function momentOf(written: string | number): number {
  if (typeof written === "number") {
    if (written < FIRST_COUNT) return Number.NaN;
    return written > FIRST_COUNT_OF_MS ? written : written * 1000;
  }
  if (USUAL.test(written)) return Date.parse(written);
  const text = written.trim();
  if (COUNT.test(text)) return momentOf(Number(text));
  // Some read "12" as a month of 2001.
  if (FEW_DIGITS.test(text) || EITHER_ORDER.test(text)) return Number.NaN;
  const parts = partsOf(text);
  if (!parts) return hasItsDay(text) ? Date.parse(text) : Number.NaN;
  if (!isRealDay(parts.day)) return Number.NaN;
  return Date.parse(`${parts.day}T${parts.time ?? "00:00"}${parts.offset ?? "Z"}`);
}

/** Whether the month of a date in words has its day, which reads as one of the month after otherwise. */
function hasItsDay(text: string): boolean {
  const [day] = LATE_DAY.exec(text) ?? [];
  if (!day) return true;
  const middle = new Date(Date.parse(text.replace(LATE_DAY, "15")));
  const last = new Date(Date.UTC(middle.getUTCFullYear(), middle.getUTCMonth() + 1, 0));
  return Number(day) <= last.getUTCDate();
}

/** Whether the calendar has this day, written YYYY-MM-DD: it has no 30 February. */
export function isRealDay(day: string): boolean {
  // A day that its month does not have is read as one of the month after.
  const read = new Date(`${day}T00:00:00Z`);
  return read.getUTCDate() === Number(day.slice(8));
}

/**
 * A date of ISO 8601 as it can be shown; null for what is none. A time without its offset is of the writer's clock: its day is known,
 * and its moment is not. Read by this machine's clock, an afternoon in Sydney would be the day after.
 */
export function dayOrMoment(written: string | number): string | null {
  if (typeof written === "number") {
    const moment = momentOf(written);
    return Number.isNaN(moment) ? null : new Date(moment).toISOString();
  }
  const [day = ""] = /^\d{4}-\d\d-\d\d(?!\d)/.exec(written.trim()) ?? [];
  if (!isRealDay(day)) return null;
  const { time = null, offset = null } = partsOf(written) ?? {};
  if (time === null || offset === null) return day;
  const moment = `${day}T${time}${offset}`;
  return Number.isNaN(Date.parse(moment)) ? null : moment;
}

/** The first days of a calendar stand for none, and so does the last. */
const FIRST_DAY = "1970-01-02";
const LAST_DAY = "9999-12-31";

/** The same for the date of a result, which is shown and is neither so old nor so late. */
export function dateOfResult(written: string | number): string | null {
  const read = dayOrMoment(written);
  return read !== null && read >= FIRST_DAY && read < LAST_DAY ? read : null;
}
