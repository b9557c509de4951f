import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const pathOf = (dataDir: string) => join(dataDir, "master-key");

/** Reads the master key that a process has made for itself; null where none has. */
export const readOwnMasterKeys = (dataDir: string): string | null =>
  existsSync(pathOf(dataDir)) ? readFileSync(pathOf(dataDir), "utf8").trim() : null;

/** A master key for a laptop, made once and kept in the data folder, readable by its owner only. */
export function ownMasterKeys(dataDir: string): string {
  const path = pathOf(dataDir);
  mkdirSync(dirname(path), { recursive: true });
  try {
    writeFileSync(path, `local:${randomBytes(32).toString("base64")}`, { flag: "wx", mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  return readFileSync(path, "utf8").trim();
}
