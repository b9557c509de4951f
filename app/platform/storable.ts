/**
 * A value that was parsed from JSON, without what PostgreSQL takes in no text of JSON: NUL, and half of a character of two units.
 * JSON can hold both, as "\u0000" and "\ud800". U+FFFD stands in their places, as it does in what is stored as text.
 */
export function storable<T>(value: T): T {
  return mended(value) as T;
}

function mended(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed().replaceAll("\0", "\ufffd");
  if (Array.isArray(value)) return value.map(mended);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, mended(one)]));
}
