import { readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "../../platform/error-code.ts";
import { DocumentStoreFailed } from "../../platform/errors.ts";
import { writeDurably } from "../../platform/write-durably.ts";
import type { ListedObject, ObjectStore } from "./object-store.ts";

/** Characters of a name that make its subfolder, so that no folder gets a million entries. */
const SHARD = 2;

/** Objects as files below `root`, which every process shares: `<folder>/<first two characters>/<name>`. */
export function createFileStore(root: string): ObjectStore {
  const shardOf = (folder: string, name: string) => join(root, folder, name.slice(0, SHARD));
  const pathOf = (folder: string, name: string) => join(shardOf(folder, name), name);
  return {
    put: (folder, name, bytes) => told(() => writeDurably(pathOf(folder, name), bytes)),
    get: (folder, name) => told(() => orNull(readFile(pathOf(folder, name)))),
    delete: (folder, name) => told(() => rm(pathOf(folder, name), { force: true })),
    async *list(folder, { from, until }) {
      const inRange = (name: string) => name >= from && (until === null || name < until);
      for (const shard of await names(join(root, folder))) {
        if (shard < from.slice(0, SHARD) || (until !== null && shard > until.slice(0, SHARD)))
          continue;
        for (const name of await names(join(root, folder, shard))) {
          // One that was never finished is listed as well: nothing points at it.
          if (!inRange(name)) continue;
          const found = await told(() => orNull(stat(join(root, folder, shard, name))));
          if (found) yield { name, at: found.mtime } satisfies ListedObject;
        }
      }
    },
  };
}

const names = async (path: string): Promise<string[]> =>
  ((await told(() => orNull(readdir(path)))) ?? []).sort();

async function orNull<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
}

async function told<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw new DocumentStoreFailed("refused", { cause });
  }
}
