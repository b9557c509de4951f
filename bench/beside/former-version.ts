import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hasCommit, unpackCommit } from "../../test/harness/former-checkout.ts";
import { REPOSITORY } from "./repository.ts";

/** The version that this one is measured beside. */
export const FORMER = "dc09403";

/**
 * A checkout of the former version in `.cache/beside/`, with its own packages and builds, made when it is not there yet. Null
 * where it cannot be made: without its commit, or without the npm registry; `say` then takes the reason.
 */
export async function prepareFormerVersion(say: (line: string) => void): Promise<string | null> {
  const folder = join(REPOSITORY, ".cache/beside", FORMER);
  // Inside the folder, so that deleting the folder deletes the claim.
  const isPrepared = join(folder, ".prepared");
  if (existsSync(isPrepared)) return folder;
  if (!hasCommit(FORMER)) {
    say(`Skipped: this checkout has no commit ${FORMER}. "git fetch --unshallow" may bring it.`);
    return null;
  }
  if (spawnSync("npm", ["ping", "--fetch-retries=0"]).status !== 0) {
    say(`Skipped: the packages of ${FORMER} come from the npm registry, which does not answer.`);
    return null;
  }
  say(`Preparing ${FORMER} in ${folder} (two minutes, once)`);
  rmSync(folder, { recursive: true, force: true });
  await unpackCommit(FORMER, folder);
  // Its own README says to begin with this: it fetches, builds, and plays one purchase to its results.
  await run("npm", ["run", "--silent", "demo", "--", "--once"], folder);
  writeFileSync(isPrepared, "");
  return folder;
}

async function run(command: string, args: string[], cwd: string): Promise<void> {
  const child = spawn(command, args, { cwd, stdio: ["ignore", "ignore", "inherit"] });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} in ${cwd} ended with ${code}`);
}
