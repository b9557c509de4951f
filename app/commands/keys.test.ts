import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openTestDatabase } from "../../test/database/database.ts";
import { loginAs } from "../platform/database/logins.ts";
import { createEpochs } from "../platform/encryption/epochs.ts";
import { createKeyFolder } from "../platform/encryption/key-folder.ts";
import { readMasterKeys } from "../platform/encryption/master-keys.ts";
import { createSealers } from "../platform/encryption/sealers.ts";

const db = await openTestDatabase();
const folder = mkdtempSync(join(tmpdir(), "pathway-keys-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
await db.pool.query("DELETE FROM key_store");

function run(args: string[], settings: Record<string, string> = {}) {
  const env = {
    ...{ PATH: process.env.PATH, NODE_ENV: "test" as const, DATABASE_URL: db.url },
    // Half of such a process's time is reading its code, which `npm test` keeps compiled.
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    ...{ PATHWAY_MASTER_KEYS: db.masterKeysText, PATHWAY_KEY_DIR: folder, ...settings },
  };
  const command = join(import.meta.dirname, "../keys.ts");
  return spawnSync(process.execPath, [command, ...args], { encoding: "utf8", env });
}

const recorded = async () =>
  (await db.pool.query("SELECT FROM access_log WHERE what = 'operator_command'")).rowCount;

test.each([
  ["rotate"],
  ["rotate", "everything"],
  ["rotate", "master", "--shop", "one.myshopify.com"],
  ["rotate", "shops", "one.myshopify.com"],
  ["rotate", "shops", "--shop", "one"],
  ["status", "--shop", "one.myshopify.com"],
  ["--all"],
])("a wrong call says how it is called, and opens nothing: %s %s %s %s", async (...args) => {
  const before = await recorded();
  const { status, stderr } = run(args, { DATABASE_URL: "postgresql://nobody@127.0.0.1:1/none" });
  expect({ status, stderr }).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/^Usage:/),
  });
  expect(await recorded()).toBe(before);
});

test("says how it is called when it is asked", () => {
  const { status, stdout } = run(["--help"]);
  expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.stringMatching(/^Usage:/) });
});

test("a process's login is refused in one sentence, and no part of the folder of keys is begun", () => {
  const { status, stderr } = run([], { DATABASE_URL: loginAs(db.url, "pathway_worker") });
  expect({ status, stderr }).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("name the database as its owner"),
  });
  expect(readdirSync(folder)).toEqual([]);
});

test("a shop that is not here gets no keys of its own by a typing error", async () => {
  const shop = "typo.myshopify.com";
  const { status, stderr } = run(["rotate", "shops", "--shop", shop]);
  expect({ status, stderr }).toEqual({ status: 2, stderr: `No shop ${shop} has keys here.\n` });
  const { rowCount } = await db.pool.query("SELECT FROM data_keys WHERE shop = $1", [shop]);
  expect(rowCount).toBe(0);
});

test("a rotation that could not read a key ends with 1: the old one must not be taken out", async () => {
  await db.pool.query(
    "INSERT INTO shop_keys (shop, master_key_id, wrapped_key) VALUES ($1, 'lost', $2)",
    ["lost.myshopify.com", randomBytes(60)],
  );
  const { status, stdout } = run(["rotate", "master"]);
  expect({ status, stdout }).toMatchObject({
    status: 1,
    stdout: expect.stringContaining("1 could not be read"),
  });
});

test("a shop whose keys are damaged is named, and keeps no other from being rotated", async () => {
  const masterKeys = readMasterKeys(db.masterKeysText);
  const [part = ""] = readdirSync(folder);
  const store = createKeyFolder(join(folder, part));
  const epochs = createEpochs(store, masterKeys);
  const shops = ["a-hurt.myshopify.com", "b-sound.myshopify.com"] as const;
  for (const shop of shops) await createSealers(db.pool, masterKeys, epochs).forShop(shop);
  const [epoch = ""] = await epochs.list(shops[0]);
  await store.put(`epochs/${shops[0]}/${epoch}.key`, Buffer.from("{"));
  const { status, stdout } = run(["rotate", "epochs"]);
  expect(stdout).toMatch(/a-hurt\.myshopify\.com, not done: epoch_damaged\n/);
  expect(stdout).toMatch(/b-sound\.myshopify\.com, \d+ keys\n/);
  expect(status).toBe(1);
  expect(run(["rotate", "master"]).stdout).toContain(
    `${shops[0]}: epoch ${epoch} can't be opened (epoch_damaged)`,
  );
});
