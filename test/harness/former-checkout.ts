import { execFile, spawnSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { promisify } from "node:util";
import { REPOSITORY } from "../../sandbox/world/program.ts";

const run = promisify(execFile);

/** Whether the history of this checkout holds a commit: a tarball's does not, nor a shallow clone's. */
export function hasCommit(commit: string): boolean {
  return git("cat-file", "-e", `${commit}^{commit}`) !== null;
}

/**
 * The commit that added a file. Null where the history does not hold it, or begins with it: a shallow clone's first commit
 * seems to add every file.
 */
export function commitThatAdded(path: string): string | null {
  const commit = git("log", "-1", "--diff-filter=A", "--format=%H", "--", path);
  return commit && hasCommit(`${commit}^`) ? commit : null;
}

/** Unpacks a commit into a folder, which is made. It has no packages and no builds. */
export async function unpackCommit(commit: string, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const archive = `${folder}.tar`;
  await run("git", ["archive", "--output", archive, commit], { cwd: REPOSITORY });
  await run("tar", ["-xf", archive, "-C", folder]);
  rmSync(archive);
}

/** Git's answer; null where it has none, is not installed, or this is no checkout. */
function git(...args: string[]): string | null {
  const { status, stdout } = spawnSync("git", args, { cwd: REPOSITORY, encoding: "utf8" });
  return status === 0 ? stdout.trim() : null;
}
