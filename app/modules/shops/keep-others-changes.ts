import { isDeepStrictEqual } from "node:util";
import type { PolicyChange, ShopSettings } from "./shop.ts";

/** The settings as they are after the change, and those that somebody else changed too since the page was opened. */
export interface KeptChanges {
  policies: PolicyChange;
  conflicts: (keyof PolicyChange)[];
}

/**
 * Two people may have the settings open at once. What this form left as it was when the page was opened (`seen`) stays as
 * it is stored by now. What it changes, and somebody else changed meanwhile to something else, is a conflict.
 */
export function keepOthersChanges(
  stored: ShopSettings,
  { policies, seen }: { policies: PolicyChange; seen: PolicyChange },
): KeptChanges {
  const conflicts: (keyof PolicyChange)[] = [];
  const kept = Object.entries(policies).map(([name, wished]) => {
    const setting = name as keyof PolicyChange;
    if (isDeepStrictEqual(wished, seen[setting])) return [name, stored[setting]];
    // Without a choice of the shop's the page shows the installation's.
    const now = setting === "emailByService" ? (stored[setting] ?? seen[setting]) : stored[setting];
    const isOthers = !isDeepStrictEqual(now, seen[setting]) && !isDeepStrictEqual(now, wished);
    if (isOthers) conflicts.push(setting);
    return [name, wished];
  });
  return { policies: Object.fromEntries(kept) as PolicyChange, conflicts };
}
