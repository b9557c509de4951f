/**
 * The gates of `npm run gates`, which continuous integration passes before any test runs. Each prints one
 * line, and fails on any fault.
 */
import { TYPE_CHECKER, TYPE_PROJECTS } from "../type-projects.mjs";
import { findBadSubjects } from "./commit-subjects.ts";
import { findNarrowing } from "./expand-only.ts";
import { findFixedSleeps } from "./fixed-sleeps.ts";
import { findForbiddenImports } from "./import-direction.ts";
import { runCommand } from "./run-command.ts";
import { findSchemaDrift } from "./schema-drift.ts";
import { findSwallowedErrors } from "./swallowed-errors.ts";
import { findUnused } from "./unused-exports.ts";

/** Each returns a line for every fault. */
const gates: Record<string, () => Promise<string[]>> = {
  "format and lint": () => passes("biome", ["ci", "--colors=off", "."]),
  types: async () => {
    const found = await Promise.all(
      TYPE_PROJECTS.map((project) =>
        passes(process.execPath, [TYPE_CHECKER, "--noEmit", "-p", project]),
      ),
    );
    return found.flat();
  },
  "unused exports": findUnused,
  "import direction": () => findForbiddenImports(),
  "fixed sleeps": async () => findFixedSleeps(),
  "swallowed errors": async () => findSwallowedErrors(),
  "schema drift": findSchemaDrift,
  "migrations only add": async () => findNarrowing(),
  "commit subjects": findBadSubjects,
};

async function passes(command: string, args: string[]): Promise<string[]> {
  const { code, output, errors } = await runCommand(command, args);
  return code === 0 ? [] : `${output}${errors}`.split("\n").filter(Boolean);
}

let failed = false;
for (const [name, gate] of Object.entries(gates)) {
  const startedAt = performance.now();
  const faults = await gate();
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  process.stdout.write(`${faults.length === 0 ? "✓" : "✗"} ${name} (${seconds} s)\n`);
  for (const fault of faults) process.stdout.write(`    ${fault}\n`);
  failed ||= faults.length > 0;
}
process.exit(failed ? 1 : 0);
