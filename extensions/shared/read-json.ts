/**
 * Readers for what the app answers: each takes an unknown value and gives a typed one or throws.
 *
 * The app and the sandbox read with zod. Here its compact build alone would take half of the 20 KB that a bundle may
 * weigh, so these few functions do the same for the shapes in this folder.
 */

/** Reads `value`, found at `path` of an answer. Throws {@link UnreadableAnswer}. */
export type Reader<T> = (value: unknown, path: string) => T;

/** The answer is not what the interface promises. Names the place, never the value: it may be health data. */
export class UnreadableAnswer extends Error {
  constructor(path: string, expected: string) {
    super(`${path}: expected ${expected}`);
  }
}

const primitive =
  <T>(kind: "string" | "number" | "boolean"): Reader<T> =>
  (value, path) => {
    if (typeof value !== kind) throw new UnreadableAnswer(path, kind);
    return value as T;
  };

export const text = primitive<string>("string");
export const numeric = primitive<number>("number");
export const flag = primitive<boolean>("boolean");

/** Text, or a number as text: laboratories give values in either form. */
export const textOrNumber: Reader<string> = (value, path) =>
  typeof value === "number" ? String(value) : text(value, path);

/** Absent and null both become null. */
export const optional =
  <T>(read: Reader<T>): Reader<T | null> =>
  (value, path) =>
    value == null ? null : read(value, path);

export const listOf =
  <T>(read: Reader<T>): Reader<T[]> =>
  (value, path) => {
    if (!Array.isArray(value)) throw new UnreadableAnswer(path, "a list");
    return value.map((entry: unknown, index) => read(entry, `${path}[${index}]`));
  };

/** One of the known words, else `otherwise`: a newer app may say what this version has not heard of. */
export const oneOf =
  <T extends string>(known: readonly T[], otherwise: T): Reader<T> =>
  (value) =>
    known.find((word) => word === value) ?? otherwise;

type Fields = Record<string, Reader<unknown>>;
/** The object that a {@link shape} of these readers returns. */
export type Shape<F extends Fields> = { [K in keyof F]: ReturnType<F[K]> };

/** An object with at least these fields; others are ignored. */
export const shape =
  <F extends Fields>(fields: F): Reader<Shape<F>> =>
  (value, path) => {
    if (typeof value !== "object" || value === null) throw new UnreadableAnswer(path, "object");
    const found = new Map(Object.entries(value));
    const entries = Object.entries(fields).map(([name, read]) => [
      name,
      read(found.get(name), path ? `${path}.${name}` : name),
    ]);
    return Object.fromEntries(entries) as Shape<F>;
  };
