import { randomBytes } from "node:crypto";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { REPOSITORY } from "./program.ts";

/** Where a world keeps its things. */
export interface Scene {
  folder: string;
  /** True when nothing of it may survive. */
  throwAway: boolean;
  logFile(program: string): string;
  /** Value of PATHWAY_MASTER_KEYS: the same each time for data that is kept. */
  masterKeys: string;
}

/** Kept data lies in .data/demo of the repository, throw-away data in the system's folder for temporary files. */
export async function setScene({ throwAway }: { throwAway: boolean }): Promise<Scene> {
  const folder = throwAway ? await temporaryFolder() : join(REPOSITORY, ".data", "demo");
  const logs = join(folder, "logs");
  await rm(logs, { recursive: true, force: true });
  await mkdir(logs, { recursive: true });
  return {
    folder,
    throwAway,
    logFile: (program) => join(logs, `${program.replaceAll(" ", "-")}.log`),
    masterKeys: await keptMasterKeys(join(folder, "master-keys")),
  };
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "pathway-world-"));
  // PostgreSQL, which may run as another user, must be able to pass through; to list it stays ours.
  await chmod(folder, 0o711);
  return folder;
}

async function keptMasterKeys(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch {
    const keys = `demo:${randomBytes(32).toString("base64")}`;
    await writeFile(file, keys, { mode: 0o600 });
    return keys;
  }
}
