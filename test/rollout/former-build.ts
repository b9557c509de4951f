import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { cleanEnvironment, REPOSITORY } from "../../sandbox/world/program.ts";
import { commitThatAdded, unpackCommit } from "../harness/former-checkout.ts";

const run = promisify(execFile);

const planSchema = z.looseObject({ from: z.string() });

/** Its settings and the machine's must not decide what a checkout needs. */
const INSTALL = { NODE_ENV: "development", npm_config_omit: "" } as const;

/**
 * The folder of the oldest version whose processes work beside this one's, by prisma/rollouts.json: unpacked and built among
 * temporary files, of which `removeAtEnd` is told before. Where it cannot be had, the reason in words.
 */
export async function buildFormer(
  removeAtEnd: (folder: string) => void,
): Promise<{ folder: string } | { reason: string }> {
  const { from } = planSchema.parse(readJson(join(REPOSITORY, "prisma/rollouts.json")));
  const commit = commitThatAdded(`prisma/migrations/${from}/migration.sql`);
  if (commit === null)
    return {
      reason: `the history of this checkout does not hold the commit that added ${from} ("git fetch --unshallow" may bring it)`,
    };
  const parent = mkdtempSync(join(tmpdir(), "pathway-former-"));
  removeAtEnd(parent);
  const folder = join(parent, "checkout");
  await unpackCommit(commit, folder);
  if (packagesOf(folder) === packagesOf(REPOSITORY))
    symlinkSync(join(REPOSITORY, "node_modules"), join(folder, "node_modules"));
  else if (spawnSync("npm", ["ping", "--fetch-retries=0"]).status === 0)
    await run("npm", ["ci"], { cwd: folder, env: { ...cleanEnvironment(), ...INSTALL } });
  else
    return {
      reason: `the packages of ${commit} come from the npm registry, which does not answer`,
    };
  const env = { ...cleanEnvironment(), NODE_ENV: "production" as const };
  for (const args of [
    ["node_modules/prisma/build/index.js", "generate"],
    ["node_modules/@remix-run/dev/dist/cli.js", "vite:build"],
  ])
    await run(process.execPath, args, { cwd: folder, env });
  return { folder };
}

/** The packages installed there: the lock without the version of the app itself. */
function packagesOf(folder: string): string {
  const { version, packages, ...lock } = lockSchema.parse(
    readJson(join(folder, "package-lock.json")),
  );
  return JSON.stringify({
    ...lock,
    packages: { ...packages, "": { ...packages[""], version: "" } },
  });
}

const lockSchema = z.looseObject({
  version: z.string(),
  packages: z.record(z.string(), z.looseObject({})),
});

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, "utf8"));
