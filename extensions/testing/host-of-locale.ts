import { readFileSync } from "node:fs";
import type { Host } from "../shared/host.ts";

/** Text at a dotted key of a locale file; null when there is none. */
export function wordsAt(locale: unknown, key: string): string | null {
  let found = locale;
  for (const part of key.split(".")) {
    if (typeof found !== "object" || found === null) return null;
    found = new Map<string, unknown>(Object.entries(found)).get(part);
  }
  return typeof found === "string" ? found : null;
}

export const readLocale = (extension: string): unknown =>
  JSON.parse(
    readFileSync(new URL(`../${extension}/locales/en.default.json`, import.meta.url), "utf8"),
  );

export interface TestHost extends Host {
  /** Addresses to which the extension sent the page. */
  visited: string[];
}

/** A page that speaks an extension's own English; a key without words fails the test. */
export function hostOfLocale(extension: string): TestHost {
  const locale = readLocale(extension);
  const visited: string[] = [];
  return {
    visited,
    i18n: {
      translate(key, values = {}) {
        const words = wordsAt(locale, key);
        if (words === null) throw new Error(`No words for ${key} in ${extension}`);
        return words.replace(/\{\{\s*(\w+)\s*\}\}/g, (_, name: string) => String(values[name]));
      },
      formatDate: (date, options) =>
        new Intl.DateTimeFormat("en-AU", { timeZone: "UTC", ...options }).format(date),
      formatNumber: (value, options) => new Intl.NumberFormat("en-AU", options).format(value),
    },
    sessionToken: { get: async () => "customer-token" },
    navigate: (address) => void visited.push(address),
  };
}
