/**
 * Takes each guard of the ledger out of a copy of the code, one at a time, and runs the tests that are to notice
 * (docs/decisions/0012). Prints what noticed; exit 0 only when every removal did fail a test.
 *
 *     node test/chaos/guards.ts [part of a guard's name]
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { GUARDS, type Guard } from "./ledger-guards.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const COPIED = ["app", "test", "prisma", "tools", "extensions", "sandbox"];
const FILES = ["package.json", "tsconfig.json", "vitest.config.ts", "prisma.config.ts"];

const [wanted = ""] = process.argv.slice(2);
const guards = GUARDS.filter(({ name }) => name.includes(wanted));
const copy = mkdtempSync(join(tmpdir(), "pathway-guards-"));
let unnoticed = 0;
try {
  for (const name of [...COPIED, ...FILES])
    cpSync(join(ROOT, name), join(copy, name), {
      recursive: true,
      filter: (path) => !/node_modules|\/dist(\/|$)/.test(path.slice(ROOT.length)),
    });
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
  // A test that fails with all guards in place would notice anything.
  for (const test of new Set(guards.map((guard) => guard.test)))
    if ((await run(test)) !== 0) throw new Error(`${test} fails as it is`);
  for (const guard of guards) {
    const noticed = await isNoticed(guard);
    if (!noticed) unnoticed++;
    console.log(`${noticed ? "noticed  " : "UNNOTICED"}  ${guard.name}  (${guard.test})`);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
console.log(`${guards.length - unnoticed} of ${guards.length} removals were noticed`);
process.exitCode = unnoticed === 0 && guards.length > 0 ? 0 : 1;

async function isNoticed({ file, from, to, test }: Guard): Promise<boolean> {
  const path = join(copy, file);
  const code = readFileSync(path, "utf8");
  if (code.split(from).length !== 2)
    throw new Error(
      `${file} does not hold exactly once:\n${from}\nThe list of guards is out of date.`,
    );
  writeFileSync(
    path,
    code.replace(from, () => to),
  );
  try {
    return (await run(test)) !== 0;
  } finally {
    writeFileSync(path, code);
  }
}

async function run(test: string): Promise<number> {
  const vitest = join(ROOT, "node_modules/vitest/vitest.mjs");
  const child = spawn(
    process.execPath,
    [
      vitest,
      "run",
      "--project",
      "app",
      ...test.split(" "),
      "--bail",
      "1",
      "--testTimeout",
      "180000",
    ],
    {
      cwd: copy,
      stdio: "ignore",
    },
  );
  const [code] = await once(child, "exit");
  return Number(code ?? 1);
}
