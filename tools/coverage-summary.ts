/**
 * Prints how much of each folder of app/ the tests of the project "app" reach: lines and branches, from what
 * `vitest --coverage` wrote. Pages and composition are low here: the flows and the browser test reach those, in processes of
 * their own.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { sumByFolder } from "./coverage-folders.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const FILE = `${ROOT}.cache/coverage/coverage-summary.json`;

const folders = sumByFolder(JSON.parse(readFileSync(FILE, "utf8")), `${ROOT}app/`);
const percent = ({ covered, total }: { covered: number; total: number }) =>
  (total === 0 ? "–" : `${((100 * covered) / total).toFixed(0)} %`).padStart(7);

process.stdout.write(`${"Coverage".padEnd(26)}  lines branches\n`);
for (const [folder, { lines, branches }] of folders)
  process.stdout.write(`${folder.padEnd(24)}${percent(lines)}  ${percent(branches)}\n`);
