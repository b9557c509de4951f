import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const FILE = fileURLToPath(new URL("./known-violations.json", import.meta.url));

/**
 * Compares what a gate found with the violations that were there before the gate was. The list may only
 * shrink: a new violation fails, and so does an entry that no longer occurs, until it is taken out.
 * Returns one line for each difference.
 */
export function compareWithKnown(gate: string, found: readonly string[]): string[] {
  const known = new Set(read()[gate] ?? []);
  const seen = new Set(found);
  return [
    ...[...seen].filter((one) => !known.has(one)).map((one) => `new: ${one}`),
    ...[...known]
      .filter((one) => !seen.has(one))
      .map((one) => `gone, remove from the list: ${one}`),
  ];
}

/** Takes every entry out of the list that no longer occurs. Adds none. */
export function dropMended(gate: string, found: readonly string[]): void {
  const all = read();
  const seen = new Set(found);
  const left = (all[gate] ?? []).filter((one) => seen.has(one));
  writeFileSync(FILE, `${JSON.stringify({ ...all, [gate]: left }, null, 2)}\n`);
}

const read = (): Record<string, string[]> => JSON.parse(readFileSync(FILE, "utf8"));
