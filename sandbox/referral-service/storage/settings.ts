import type { Database } from "./database.ts";

/** Small values that belong to the whole server. */
export interface Settings {
  get(key: string): string | null;
  set(key: string, value: string): void;
}

/** Settings on the given database. */
export function createSettings(database: Database): Settings {
  return {
    get(key) {
      const value = database.get("SELECT value FROM settings WHERE key = ?", key)?.value;
      return typeof value === "string" ? value : null;
    },
    set(key, value) {
      database.run(
        "INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        key,
        value,
      );
    },
  };
}
