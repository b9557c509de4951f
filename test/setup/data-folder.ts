import { chmodSync, existsSync, mkdtempSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { availableMemory } from "node:process";

const IN_MEMORY = "/dev/shm";
/** The databases of a whole run take a quarter of it. */
const NEEDED_BYTES = 2 * 1024 ** 3;

/**
 * Where databases lie that nobody needs after the run: in memory, where there is room, else with other temporary files. Each
 * test file copies a database of some hundred files and drops it, which costs a disk's file system more than all else that
 * PostgreSQL does for the file.
 */
export function dataFolder(): string {
  return existsSync(IN_MEMORY) && hasRoom() ? IN_MEMORY : tmpdir();
}

/** Makes a folder there, which PostgreSQL can pass through: it may run as another user. */
export function makeDataFolder(prefix: string): string {
  const folder = mkdtempSync(join(dataFolder(), prefix));
  chmodSync(folder, 0o711);
  return folder;
}

/** A container may have as little as 64 MB there, and what lies there counts as its memory. */
function hasRoom(): boolean {
  const { bavail, bsize } = statfsSync(IN_MEMORY);
  return bavail * bsize >= NEEDED_BYTES && availableMemory() >= 2 * NEEDED_BYTES;
}
