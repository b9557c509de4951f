import { randomBytes } from "node:crypto";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { openTestDatabase } from "../../test/database/database.ts";
import { installedShop, readyRequest } from "../../test/database/seed.ts";
import { keptLog } from "../../test/samples/kept-log.ts";
import type { ShopDomain } from "../modules/kernel/ids.ts";
import { redact } from "../modules/privacy/privacy/redact.ts";
import { loopFailures } from "../platform/counters.ts";
import { pauseAfterRestore } from "../platform/database/pause-after-restore.ts";
import { noteServing } from "../platform/database/served-until.ts";
import { createEpochs } from "../platform/encryption/epochs.ts";
import { readMasterKeys } from "../platform/encryption/master-keys.ts";
import { createSealers } from "../platform/encryption/sealers.ts";
import { createLogger } from "../platform/logger.ts";
import { SEALED_COLUMNS } from "../sealed-columns.ts";
import { startKeyMaintenance } from "./key-maintenance.ts";

const [original, copy] = [await openTestDatabase(), await openTestDatabase()];
const folder = copy.epochs.store;
const silent = createLogger("silent");
let shop: ShopDomain;

/** A backup of the original that was restored beside it, with the settings of the original: its folder of keys as well. */
beforeEach(async () => {
  await original.pool.query("DELETE FROM database_identity");
  await pauseAfterRestore(original.pool, { asked: false });
  const { rows } = await original.pool.query("SELECT identity FROM database_identity");
  await copy.pool.query("DELETE FROM database_identity");
  await copy.pool.query("INSERT INTO database_identity (identity, noted_at) VALUES ($1, now())", [
    rows[0].identity,
  ]);
  await pauseAfterRestore(copy.pool, { asked: false });
  await folder.remove("serving");
  await folder.put("identity", Buffer.from(await keyStoreOf()));
  shop = await installedShop(copy);
});

async function keyStoreOf(): Promise<string> {
  await copy.pool.query(
    "INSERT INTO key_store (identity) VALUES (gen_random_uuid()) ON CONFLICT DO NOTHING",
  );
  return (await copy.pool.query("SELECT identity FROM key_store")).rows[0].identity;
}

/** Erases a patient in the copy. Answers the epoch that wraps the erased key, and every living one of the shop. */
async function erase(): Promise<string[]> {
  const id = await readyRequest(copy, shop);
  await copy.tenancy.inShop(shop, (tenant) =>
    redact(tenant, { requestIds: [id], orderIds: [] }, new Date()),
  );
  return copy.epochs.list(shop);
}

/** Runs the work of a worker, or of a web process, and counts its turns. */
function work({ sealers = copy.sealers, isWorker = true, logger = silent } = {}) {
  const turns = { done: 0, failures: [] as unknown[] };
  const maintenance = startKeyMaintenance(
    {
      ...{ pool: copy.pool, sealers, columns: SEALED_COLUMNS, logger },
      retiredForMs: 0,
    },
    { turned: () => turns.done++, failed: (error) => turns.failures.push(error) },
    { isWorker, everyMs: 10 },
  );
  onTestFinished(() => maintenance.stop());
  return turns;
}

test("a copy destroys and notes nothing in the folder of keys while its original works", async () => {
  await noteServing(original.pool, folder);
  const before = await erase();
  const turns = work();
  await expect.poll(() => turns.done).toBeGreaterThan(5);
  expect(turns.failures).toEqual([]);
  expect(await copy.epochs.list(shop)).toEqual(before);
  expect(await copy.epochs.tombstones(shop)).toEqual([]);
});

test.each([
  ["has not been heard of for some minutes", 6 * 60_000],
  ["never noted that it works", null],
])("a restored database ends the epochs of erased keys once the lost one %s", async (_, agoMs) => {
  if (agoMs !== null) {
    await noteServing(original.pool, folder);
    const [name] = await folder.list("serving");
    const at = new Date(Date.now() - agoMs).toISOString();
    await folder.put(`serving/${name}`, Buffer.from(at));
  }
  // Its own notes keep nobody waiting.
  await noteServing(copy.pool, folder);
  const before = await erase();
  work();
  await expect.poll(() => copy.epochs.list(shop), { timeout: 10_000 }).not.toEqual(before);
  expect(await copy.epochs.tombstones(shop)).not.toEqual([]);
});

test("while the folder of keys is older than the database, no key of any shop ends", async () => {
  const other = await installedShop(copy);
  await readyRequest(copy, other);
  const before = await erase();
  const [epoch = ""] = await copy.epochs.list(other);
  const name = `epochs/${other}/${epoch}.key`;
  const key = await folder.get(name);
  if (!key) throw new Error("the other shop has no key");
  await folder.remove(name);

  const turns = work();
  await expect.poll(() => turns.failures.length).toBeGreaterThan(2);
  expect(turns.failures[0]).toMatchObject({ code: "key_folder_older" });
  expect(String(turns.failures[0])).toMatch(/lacks the keys of 1 of \d+ shops/);
  expect(await copy.epochs.list(shop)).toEqual(before);
  expect(await copy.epochs.tombstones(shop)).toEqual([]);

  await folder.put(name, key);
  await expect.poll(() => copy.epochs.list(shop), { timeout: 10_000 }).not.toEqual(before);
  expect(await copy.epochs.tombstones(shop)).not.toEqual([]);
});

/** The sealers of a process that was given another master key. */
function strangersSealers(masterKeys = readMasterKeys(`k1:${randomBytes(32).toString("base64")}`)) {
  return createSealers(copy.pool, masterKeys, createEpochs(folder, masterKeys));
}

test("a web process whose master key opens the keys of no shop is not ready: it would serve nobody", async () => {
  const turns = work({ sealers: strangersSealers(), isWorker: false });
  await expect.poll(() => turns.failures.length).toBeGreaterThan(1);
  expect(turns.failures[0]).toMatchObject({ code: "master_key_missing" });
  expect(turns.done).toBe(0);
});

test("a process that opens all keys but one shop's goes on, and counts it for an alert", async () => {
  const lost = await installedShop(copy);
  const [epoch = ""] = await copy.epochs.list(lost);
  await folder.remove(`epochs/${lost}`);
  const stranger = strangersSealers();
  const wrapped = await stranger.epochs.create(lost, []);
  const key = await folder.get(`epochs/${lost}/${wrapped}.key`);
  await folder.put(`epochs/${lost}/${epoch}.key`, key ?? Buffer.alloc(0));
  const counted = () =>
    loopFailures
      .values()
      .find(({ labels }) => labels.loop === "keys" && labels.code === "master_key_missing")
      ?.value ?? 0;
  const before = counted();
  const turns = work({ isWorker: false });
  await expect.poll(() => turns.done).toBeGreaterThan(2);
  expect(turns.failures).toEqual([]);
  expect(counted()).toBe(before + 1);
});

test("a damaged file of one shop is named, counted for an alert, and makes no worker unready", async () => {
  const hurt = await installedShop(copy);
  const [epoch = ""] = await copy.epochs.list(hurt);
  const name = `epochs/${hurt}/${epoch}.key`;
  const key = await folder.get(name);
  await folder.put(name, Buffer.from("{"));
  await copy.pool.query("INSERT INTO tombstones (store, subject) VALUES ($1, 'request 1')", [hurt]);
  const counted = () =>
    loopFailures
      .values()
      .find(({ labels }) => labels.loop === "keys" && labels.code === "epoch_damaged")?.value ?? 0;
  const before = counted();
  const { logger, lines } = keptLog("error");
  const another = createSealers(copy.pool, copy.masterKeys, createEpochs(folder, copy.masterKeys));
  const turns = work({ sealers: another, logger });
  await expect.poll(() => turns.done, { timeout: 10_000 }).toBeGreaterThan(3);
  expect(turns.failures).toEqual([]);
  expect(counted()).toBeGreaterThan(before);
  expect(lines).toContainEqual(
    expect.objectContaining({
      ...{ shops: 1, code: "epoch_damaged" },
      some: [{ shop: hurt, epoch, code: "epoch_damaged" }],
    }),
  );
  if (key) await folder.put(name, key);
});
