/** A JSON object as it came over the wire. */
export type JsonObject = { [key: string]: unknown };

/** An object without a prototype's say: `__proto__` stays an ordinary key. */
export function plainObject(entries: Iterable<[string, unknown]>): JsonObject {
  const result: JsonObject = {};
  for (const [key, value] of entries) {
    Object.defineProperty(result, key, {
      value,
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }
  return result;
}

/** Whether a value is a JSON object and not an array or null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
