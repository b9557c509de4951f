import { createHash, randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { openTestDatabase, temporaryKeyFolder } from "../../../test/database/database.ts";
import { createLogger } from "../logger.ts";
import { askPool } from "./data-keys.ts";
import { watchDestroyedKeys } from "./destroyed-keys.ts";
import { createEpochs } from "./epochs.ts";
import { type MasterKeyRing, readMasterKeys } from "./master-keys.ts";
import { rewrapKeys } from "./rewrap-keys.ts";
import { createSealers } from "./sealers.ts";
import { KEY_DESTROYED } from "./subject-keys.ts";

const db = await openTestDatabase();
const place = { table: "results", column: "snapshot", row: "1" };
const secrets = new Map(["old", "new", "lost"].map((id) => [id, randomBytes(32)]));
const ring = (...ids: string[]) =>
  readMasterKeys(ids.map((id) => `${id}:${secrets.get(id)?.toString("base64")}`).join(","));

const folder = temporaryKeyFolder();
const sealersWith = (masterKeys: MasterKeyRing) =>
  createSealers(db.pool, masterKeys, createEpochs(folder, masterKeys));
const ports = { pool: db.pool, logger: createLogger("silent") };
const rewrap = (masterKeys: MasterKeyRing) =>
  rewrapKeys(ports, masterKeys, createEpochs(folder, masterKeys));

test("opens everything without the old master key after a rotation", async () => {
  const shops = Array.from({ length: 5 }, (_, at) => `rotated-${at}.myshopify.com` as const);
  const before = sealersWith(ring("old"));
  const sealed = new Map<string, Buffer>();
  for (const shop of shops) sealed.set(shop, (await before.forShop(shop)).seal(place, shop));
  await sealersWith(ring("lost")).forShop("lost.myshopify.com");

  const both = ring("new", "old");
  const runs = await Promise.all([rewrap(both), rewrap(both)]);
  expect(runs.reduce((sum, { rewrapped }) => sum + rewrapped, 0)).toBe(5);
  expect(runs.map(({ unreadable }) => unreadable)).toEqual([1, 1]);
  expect(await rewrap(both)).toEqual({ rewrapped: 0, unreadable: 1 });

  const after = sealersWith(ring("new"));
  for (const [shop, value] of sealed) {
    const sealer = await after.forShop(shop as (typeof shops)[number]);
    expect(sealer.open(place, value).toString()).toBe(shop);
  }
});

test("keeps every process at work while they are started again one by one, when all have had the new key before", async () => {
  const shop = "rolling.myshopify.com";
  const sealed = (await sealersWith(ring("old")).forShop(shop)).seal(place, "words");
  // The first one that has the new key in front wraps everything by it, at its start.
  const first = ring("new", "old");
  await rewrap(first);
  const opens = async (masterKeys: MasterKeyRing) =>
    (await sealersWith(masterKeys).forShop(shop)).open(place, sealed).toString();
  expect(await opens(first)).toBe("words");
  expect(await opens(ring("old", "new"))).toBe("words");
  // A process that was left out opens nothing any more, and its log has a code.
  await expect(opens(ring("old"))).rejects.toMatchObject({ code: "master_key_missing" });
});

test("counts an epoch's key that is damaged, passes over one that is being removed, and wraps the others", async () => {
  const [shop, broken] = ["sound.myshopify.com", "broken.myshopify.com"] as const;
  await sealersWith(ring("old")).forShop(shop);
  await sealersWith(ring("old")).forShop(broken);
  const [epoch] = await folder.list(`epochs/${broken}`);
  await folder.put(`epochs/${broken}/${epoch}`, Buffer.from("{"));
  await folder.put(`epochs/${broken}/00000000-removed.key`, Buffer.alloc(120));
  const rings = ring("new", "old", "lost");
  expect(await rewrap(rings)).toMatchObject({ unreadable: 1 });
  expect(await rewrap(rings)).toEqual({ rewrapped: 0, unreadable: 1 });
  await sealersWith(ring("new")).forShop(shop);
  await expect(sealersWith(rings).forShop(broken)).rejects.toMatchObject({
    code: "epoch_damaged",
  });
  await folder.remove(`epochs/${broken}`);
});

test("wraps the keys that earlier versions gave to shops", async () => {
  const shop = "former.myshopify.com";
  const { masterKeyId, wrapped } = ring("old").wrap(randomBytes(32), shop);
  await db.pool.query(
    "INSERT INTO shop_keys (shop, master_key_id, wrapped_key) VALUES ($1, $2, $3)",
    [shop, masterKeyId, wrapped],
  );
  const of = (masterKeys: MasterKeyRing) =>
    sealersWith(masterKeys).keys.former(askPool(db.pool), shop);
  const hashes = (await of(ring("old")))?.hashes;
  await rewrap(ring("new", "old"));
  expect((await of(ring("new")))?.hashes).toEqual(hashes);
  await expect(of(ring("old"))).rejects.toThrow(/"new" is not in PATHWAY_MASTER_KEYS/);
});

test("a copy on trial leaves the folder as it is while its original works, for that one may not have the new key", async () => {
  const shop = "trial.myshopify.com";
  await sealersWith(ring("old")).forShop(shop);
  const identity = "a copy of this one";
  await db.pool.query("DELETE FROM database_identity");
  await db.pool.query(
    `INSERT INTO database_identity (identity, former_identity, noted_at) VALUES (live_identity(), $1, now())`,
    [identity],
  );
  const name = createHash("sha256").update(identity).digest("hex").slice(0, 32);
  await folder.put(`serving/${name}`, Buffer.from(new Date().toISOString()));
  expect(await rewrap(ring("new", "old"))).toMatchObject({ rewrapped: 0 });
  await sealersWith(ring("old")).forShop(shop);
  await folder.remove("serving");
  expect(await rewrap(ring("new", "old"))).toMatchObject({ rewrapped: 1 });
});

test("a process forgets a key that another one has destroyed", async () => {
  const shop = "forgotten.myshopify.com";
  const own = sealersWith(ring("old"));
  const logger = createLogger("silent");
  const watch = watchDestroyedKeys({ databaseUrl: db.url, sealers: own, logger });
  try {
    await own.forShop(shop);
    // Told again until it listens; from then on it has heard.
    const tell = () => db.pool.query("SELECT pg_notify($1, $2)", [KEY_DESTROYED, shop]);
    const forgets = { timeout: 10_000 };
    await expect.poll(() => tell().then(() => own.remembered(shop)), forgets).toBeUndefined();
    const first = await own.forShop(shop);
    await db.pool.query("DELETE FROM data_keys WHERE shop = $1", [shop]);
    await tell();
    await expect.poll(() => own.remembered(shop), forgets).toBeUndefined();
    const sealed = (await own.forShop(shop)).seal(place, "x");
    // A value sealed now is opened by every other process, and by the destroyed key no more.
    const others = await sealersWith(ring("old")).forShop(shop);
    expect(others.open(place, sealed).toString()).toBe("x");
    expect(() => first.open(place, sealed)).toThrow();
  } finally {
    await watch.stop();
  }
});
