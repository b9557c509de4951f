import { existsSync, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { expect, test } from "vitest";
import { openWorldFolder } from "./world-folder.ts";

test("a throw-away files has a folder and keys of its own, and says what to remove", async () => {
  const removed: string[] = [];
  const set = () => openWorldFolder({ throwAway: true, removeAtEnd: (path) => removed.push(path) });
  const [one, other] = [await set(), await set()];
  try {
    expect(removed).toEqual([one.folder, other.folder]);
    expect(one.masterKeys).toMatch(/^demo:[A-Za-z0-9+/]{43}=$/);
    expect(other.masterKeys).not.toBe(one.masterKeys);
    expect(existsSync(one.logFile("referral service"))).toBe(false);
    // PostgreSQL as another user passes through, but may not look around.
    expect(statSync(one.folder).mode & 0o777).toBe(0o711);
  } finally {
    for (const folder of removed) await rm(folder, { recursive: true });
  }
});
