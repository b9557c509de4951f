import { randomBytes } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { KeyStore } from "./key-store.ts";

/** Names of files that are being written. */
const UNFINISHED = ".part";

/**
 * A folder of keys, readable by its owner only. An entry is written beside its place, forced to disk and renamed, so
 * that a process that dies leaves the old entry or the new one. Processes on several machines need a shared folder.
 */
export function createKeyFolder(folder: string): KeyStore {
  const pathOf = (name: string) => {
    if (name.split("/").some((part) => !/^[a-z0-9][a-z0-9._-]*$/i.test(part)))
      throw new Error("A key's name has a form that no key has");
    return join(folder, name);
  };
  return {
    place: folder,
    async put(name, value) {
      const path = pathOf(name);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const beside = `${path}.${randomBytes(6).toString("hex")}${UNFINISHED}`;
      const file = await open(beside, "wx", 0o600);
      try {
        await file.writeFile(value);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(beside, path);
      await syncFolder(dirname(path));
    },
    get: (name) => unlessAbsent(readFile(pathOf(name)), null),
    async list(under) {
      const names = await unlessAbsent(readdir(under ? pathOf(under) : folder), []);
      return names.filter((name) => !name.endsWith(UNFINISHED)).toSorted();
    },
    async remove(name) {
      const path = pathOf(name);
      await overwrite(path);
      await rm(path, { recursive: true, force: true });
      await unlessAbsent(syncFolder(dirname(path)), undefined);
    },
  };
}

/** The name alone would leave the bytes on the disk. */
async function overwrite(path: string): Promise<void> {
  const found = await unlessAbsent(stat(path), null);
  if (found?.isDirectory())
    for (const name of await unlessAbsent(readdir(path), [])) await overwrite(join(path, name));
  if (!found?.isFile()) return;
  const file = await unlessAbsent(open(path, "r+"), null);
  if (!file) return;
  try {
    await file.write(randomBytes(found.size), 0, found.size, 0);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function unlessAbsent<T, Absent>(found: Promise<T>, absent: Absent): Promise<T | Absent> {
  try {
    return await found;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return absent;
    throw error;
  }
}
