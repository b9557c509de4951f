import type { AccessDetail } from "../kernel/access-log.ts";

/**
 * The settings that a change alters, for the access log: each with its former and its new value. Of people and ways to
 * reach them only that they changed is told. Null when nothing changes.
 */
export function settingChanges(
  before: Readonly<Record<string, unknown>> | null,
  change: Readonly<Record<string, unknown>>,
): AccessDetail | null {
  const changed = Object.entries(change).filter(
    ([name, value]) => value !== undefined && text(before?.[name]) !== text(value),
  );
  if (changed.length === 0) return null;
  return Object.fromEntries(
    changed.map(([name, value]) => [
      name,
      isPlain(before?.[name]) && isPlain(value)
        ? `${text(before?.[name])} → ${text(value)}`
        : "changed",
    ]),
  );
}

const isPlain = (value: unknown): boolean =>
  typeof value !== "object" || value === null || Array.isArray(value);

function text(value: unknown): string {
  if (value === null || value === undefined) return "none";
  return Array.isArray(value)
    ? value.join(", ")
    : typeof value === "object"
      ? JSON.stringify(value)
      : String(value);
}
