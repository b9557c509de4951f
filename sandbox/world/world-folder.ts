import { randomBytes } from "node:crypto";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isAlive } from "./process-life.ts";
import { REPOSITORY } from "./program.ts";

/** Where a world keeps its things. */
export interface WorldFolder {
  folder: string;
  /** True when nothing of it may survive. */
  throwAway: boolean;
  logFile(program: string): string;
  /** Value of PATHWAY_MASTER_KEYS: the same each time for data that is kept. */
  masterKeys: string;
  /** What the app's processes prove to the database for which shop they speak. */
  tenantKeys: string;
}

/**
 * Kept data lies in .data/demo of the repository, throw-away data in the system's folder for temporary files.
 * `removeAtEnd` is told what must not survive the world. Throws when another world plays on the kept data.
 */
export async function openWorldFolder({
  throwAway,
  removeAtEnd,
}: {
  throwAway: boolean;
  removeAtEnd: (path: string) => void;
}): Promise<WorldFolder> {
  const folder = throwAway ? await temporaryFolder() : join(REPOSITORY, ".data", "demo");
  if (throwAway) removeAtEnd(folder);
  else removeAtEnd(await lock(folder));
  const logs = join(folder, "logs");
  await rm(logs, { recursive: true, force: true });
  await mkdir(logs, { recursive: true });
  return {
    folder,
    throwAway,
    logFile: (program) => join(logs, `${program.replaceAll(" ", "-")}.log`),
    masterKeys: await keptKeys(join(folder, "master-keys")),
    // Those that were given, as to `npm run migrate`, or the demo's own.
    tenantKeys: process.env.PATHWAY_TENANT_KEYS || (await keptKeys(join(folder, "tenant-keys"))),
  };
}

/** Claims a folder for this process and answers the path of the claim. */
async function lock(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const claim = join(folder, "in-use-by-process");
  const holder = Number(await readFile(claim, "utf8").catch(() => ""));
  if (holder > 0 && isAlive(holder))
    throw new Error(
      `The demo is running already, as process ${holder}: end it first, or play with --once beside it. ` +
        `(If that is another program, delete ${claim}.)`,
    );
  await writeFile(claim, String(process.pid));
  return claim;
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "pathway-world-"));
  // PostgreSQL, which may run as another user, must be able to pass through; to list it stays ours.
  await chmod(folder, 0o711);
  return folder;
}

async function keptKeys(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch {
    const keys = `demo:${randomBytes(32).toString("base64")}`;
    await writeFile(file, keys, { mode: 0o600 });
    return keys;
  }
}
