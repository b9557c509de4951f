import { isDeepStrictEqual } from "node:util";

/** The settings as they are after the change, and those that somebody else changed too since the page was opened. */
export interface KeptChanges<T> {
  settings: T;
  conflicts: Conflict[];
}

/** A setting that two people changed to something different. */
export interface Conflict {
  name: string;
  /** The stored value, and the value that this form wants. */
  saved: unknown;
  wished: unknown;
}

/**
 * Two people may have the settings open at once. What this form left as it was when the page was opened (`seen`) stays as
 * it is stored by now. What it changes, and somebody else changed meanwhile to something else, is a conflict.
 * `shown`: what is stored as a page shows it now, where that differs.
 */
export function keepOthersChanges<T extends object>(
  stored: T,
  { wished, seen, shown = stored }: { wished: T; seen: Partial<T>; shown?: T },
): KeptChanges<T> {
  const names = Object.keys(wished) as (keyof T & string)[];
  const conflicts: Conflict[] = [];
  const settings = { ...wished };
  for (const name of names) {
    if (isDeepStrictEqual(wished[name], seen[name])) settings[name] = stored[name];
    else if (
      !isDeepStrictEqual(shown[name], seen[name]) &&
      !isDeepStrictEqual(shown[name], wished[name])
    )
      conflicts.push({ name, saved: shown[name], wished: wished[name] });
  }
  return { settings, conflicts };
}
