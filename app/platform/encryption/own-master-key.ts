import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A master key for a laptop, made once and kept in the data folder, readable by its owner only. */
export function ownMasterKeys(dataDir: string): string {
  const path = join(dataDir, "master-key");
  mkdirSync(dirname(path), { recursive: true });
  try {
    writeFileSync(path, `local:${randomBytes(32).toString("base64")}`, { flag: "wx", mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  return readFileSync(path, "utf8").trim();
}
