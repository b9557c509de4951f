import { randomUUID } from "node:crypto";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

/** Ends the name of a file that is being written, or was never finished. */
export const UNFINISHED = ".part";

/**
 * Writes a file that its owner alone can read, and makes its folders. The file is there whole or not at all, also when the
 * machine stops in between: its bytes are forced to disk beside its place, and then it is renamed. Throws the file system's
 * error.
 */
export async function writeDurably(path: string, bytes: Buffer): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const beside = `${path}.${randomUUID()}${UNFINISHED}`;
  try {
    await writeAndSync(beside, bytes);
    await rename(beside, path);
  } catch (error) {
    // It is tried again and again: what is left of each try would fill the disk that is full.
    await rm(beside, { force: true });
    throw error;
  }
  await syncFolder(folder);
}

async function writeAndSync(path: string, bytes: Buffer): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Forces a folder to disk: a file that was renamed or removed is so for certain only then. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
