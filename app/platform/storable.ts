/**
 * A value that was parsed from JSON, without what PostgreSQL takes in no text of JSON: NUL, and half of a character of two units.
 * JSON can hold both, as "\u0000" and "\ud800". U+FFFD stands in their places, as it does in what is stored as text.
 */
export function storable<T>(value: T): T {
  return mended(value) as T;
}

/** Times that the database, its driver and a page can have, with room to spare: JavaScript's years begin before, and end after. */
export const FIRST_MS = Date.parse("0001-01-01T00:00:00Z");
export const LAST_MS = Date.parse("9999-12-31T23:59:59Z");

/** Whether a time can be stored. None that is no time can. */
export const isStorableTime = (time: Date): boolean =>
  time.getTime() >= FIRST_MS && time.getTime() <= LAST_MS;

/** The written time, or the nearest that can be stored: a message whose day makes no sense is not lost for that. */
export const storableTime = (written: string): Date =>
  new Date(Math.min(Math.max(Date.parse(written), FIRST_MS), LAST_MS));

const mendedText = (text: string): string => text.toWellFormed().replaceAll("\0", "\ufffd");

function mended(value: unknown): unknown {
  if (typeof value === "string") return mendedText(value);
  if (Array.isArray(value)) return value.map(mended);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [mendedText(name), mended(one)]),
  );
}
