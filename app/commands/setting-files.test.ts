import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openTestDatabase } from "../../test/database/database.ts";
import { installedShop } from "../../test/database/seed.ts";

const db = await openTestDatabase();
const shop = await installedShop(db);
const folder = mkdtempSync(join(tmpdir(), "pathway-command-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
mkdirSync(join(folder, "data"));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, `${text}\n`);
  return path;
}

function run(command: string, args: string[], settings: Record<string, string>) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, "..", command), ...args],
    {
      encoding: "utf8",
      env: {
        PATH: process.env.PATH,
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        NODE_ENV: "test",
        PATHWAY_DATA_DIR: join(folder, "data"),
        ...settings,
      },
    },
  );
  return { status, stdout, stderr };
}

const DATABASE = { DATABASE_URL_FILE: file("owner_database_url", db.url) };

test.each([
  ["commands/audit.ts", ["verify"], "OK"],
  ["commands/affected.ts", ["--since", "2026-01-01", "--shop", shop], ""],
  ["keys.ts", [], "Folder of keys"],
])("%s takes the settings that the processes have as files", (command, args, told) => {
  const keys = { PATHWAY_MASTER_KEYS_FILE: file("master_keys", db.masterKeysText) };
  const { status, stdout, stderr } = run(command, args, { ...DATABASE, ...keys });
  expect({ status, stderr: stderr.replace(/^No anchors.*\n/, "") }).toMatchObject({ status: 0 });
  expect(stdout).toContain(told);
});

test("keys without a master key says so, and makes none of its own", () => {
  const { status, stderr } = run("keys.ts", ["rotate", "master"], DATABASE);
  expect(status).not.toBe(0);
  expect(stderr).toMatch(/Set PATHWAY_MASTER_KEYS/);
  expect(existsSync(join(folder, "data/master-key"))).toBe(false);
});
