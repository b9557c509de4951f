/** What an app gets that has named the fields it wants: `id`, or `variants.price` of each entry of a list. */
export function includeFields(
  payload: Record<string, unknown>,
  paths: readonly string[] | null,
): Record<string, unknown> {
  if (paths === null) return payload;
  const wanted = Map.groupBy(paths, (path) => path.split(".", 1)[0] ?? "");
  return Object.fromEntries(
    Object.entries(payload).flatMap(([key, value]) => {
      const own = wanted.get(key);
      if (!own) return [];
      const below = own.map((path) => path.slice(key.length + 1)).filter(Boolean);
      return [[key, own.includes(key) ? value : within(value, below)]];
    }),
  );
}

function within(value: unknown, paths: string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => within(item, paths));
  return isRecord(value) ? includeFields(value, paths) : value;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The paths that name nothing in a payload: Shopify would leave them out in silence. */
export const missingFields = (payload: unknown, paths: readonly string[]): string[] =>
  paths.filter((path) => !has(payload, path.split(".")));

function has(value: unknown, [key, ...rest]: string[]): boolean {
  if (key === undefined) return true;
  if (Array.isArray(value)) return value.some((item) => has(item, [key, ...rest]));
  return isRecord(value) && key in value && has(value[key], rest);
}
