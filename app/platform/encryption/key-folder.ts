import { randomBytes } from "node:crypto";
import { open, readdir, readFile, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { syncFolder, UNFINISHED, writeDurably } from "../write-durably.ts";
import type { KeyStore } from "./key-store.ts";

/**
 * A folder of keys, readable by its owner only. A process that dies while it writes leaves the old
 * entry or the new one. Processes on several machines need a shared folder.
 */
export function createKeyFolder(folder: string): KeyStore {
  const pathOf = (name: string) => {
    if (name.split("/").some((part) => !/^[a-z0-9][a-z0-9._-]*$/i.test(part)))
      throw new Error("A key's name has a form that no key has");
    return join(folder, name);
  };
  return {
    place: folder,
    // Async, so that a name of another form rejects.
    put: async (name, value) => writeDurably(pathOf(name), value),
    async get(name) {
      const entry = await unlessAbsent(readFile(pathOf(name)), null);
      // A process that removes it has begun to, or died before it ended.
      return entry && entry[0] === OVERWRITTEN ? null : entry;
    },
    async list(under) {
      const names = await unlessAbsent(readdir(under ? pathOf(under) : folder), []);
      return names.filter((name) => !name.endsWith(UNFINISHED)).toSorted();
    },
    async remove(name) {
      const path = pathOf(name);
      // First, because what is left of them is found by the name of the entry alone.
      for (const one of [...(await unfinished(path)), path]) {
        await overwrite(one);
        await rm(one, { recursive: true, force: true });
      }
      await unlessAbsent(syncFolder(dirname(path)), undefined);
    },
  };
}

/** No entry begins so. */
const OVERWRITTEN = 0;

/** Copies of an entry that its writers never gave its name, because they died: they open what the entry opens. */
async function unfinished(path: string): Promise<string[]> {
  const names = await unlessAbsent(readdir(dirname(path)), []);
  return names
    .filter((name) => name.startsWith(`${basename(path)}.`) && name.endsWith(UNFINISHED))
    .map((name) => join(dirname(path), name));
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
    const noise = Buffer.concat([Buffer.of(OVERWRITTEN), randomBytes(found.size)]);
    await file.write(noise, 0, found.size, 0);
    await file.sync();
  } finally {
    await file.close();
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
