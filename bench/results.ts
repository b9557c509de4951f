import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { Figures } from "./figure.ts";

const path = fileURLToPath(new URL("./results.json", import.meta.url));

/** Keeps figures of other parts as they are. */
export function mergeResults(figures: Figures): void {
  const kept = existsSync(path)
    ? z.record(z.string(), z.unknown()).parse(JSON.parse(readFileSync(path, "utf8")))
    : {};
  const all = { ...kept, ...figures };
  const sorted = Object.fromEntries(
    Object.entries(all).sort(([a], [b]) => a.localeCompare(b, "en", { numeric: true })),
  );
  writeFileSync(`${path}.part`, `${JSON.stringify(sorted, null, 2)}\n`);
  renameSync(`${path}.part`, path);
}
