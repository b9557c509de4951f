/** Reads a stored word as one of those this version knows. Throws on any other: a row from a newer version. */
export function parseEnum<T extends string>(known: readonly T[], value: string): T {
  const found = known.find((one) => one === value);
  if (found === undefined) throw new Error(`Stored value "${value}" is not known to this version`);
  return found;
}
