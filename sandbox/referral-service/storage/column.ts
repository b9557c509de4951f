import type { Row } from "./database.ts";

/** Reads a TEXT NOT NULL column. */
export function text(row: Row, name: string): string {
  const value = row[name];
  if (typeof value !== "string") throw new TypeError(`column ${name} is not text`);
  return value;
}

/** Reads an INTEGER NOT NULL column. */
export function integer(row: Row, name: string): number {
  const value = row[name];
  if (typeof value !== "number") throw new TypeError(`column ${name} is not an integer`);
  return value;
}

/** Reads a nullable TEXT column. */
export function textOrNull(row: Row, name: string): string | null {
  return row[name] === null ? null : text(row, name);
}

/** Reads a nullable INTEGER column. */
export function integerOrNull(row: Row, name: string): number | null {
  return row[name] === null ? null : integer(row, name);
}
