/** Long because every life of a key is here: erasure, restore, death on the way, rotation, upgrade. */
import { beforeEach, describe, expect, test } from "vitest";
import { administer, databaseUrl } from "../../../test/database/administer.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { installedShop, readyRequest } from "../../../test/database/seed.ts";
import { createErasureNotes } from "../../modules/privacy/postgres/erasure-notes.ts";
import { createShopEraser } from "../../modules/privacy/postgres/shop-eraser.ts";
import { redact } from "../../modules/privacy/privacy/redact.ts";
import { replayErasures } from "../../modules/privacy/replay-erasures.ts";
import { SEALED_COLUMNS } from "../../sealed-columns.ts";
import { createTenancy } from "../../tenancy.ts";
import { openDatabase } from "../database/database.ts";
import { pauseAfterRestore } from "../database/pause-after-restore.ts";
import { createLogger } from "../logger.ts";
import type { ShopDomain } from "../shop-domain.ts";
import { checkEpochs } from "./check-epochs.ts";
import { askPool } from "./data-keys.ts";
import { createEpochs, type Epochs } from "./epochs.ts";
import type { KeyStore } from "./key-store.ts";
import { maintainKeys } from "./maintain-keys.ts";
import { recoverAllKeys } from "./recover-keys.ts";
import { rotateKeys } from "./rotate-keys.ts";
import { createSealers } from "./sealers.ts";

const db = await openTestDatabase();
const logger = createLogger("silent");
const ports = {
  ...{ pool: db.pool, sealers: db.sealers, columns: SEALED_COLUMNS, logger, retiredForMs: 0 },
};
let shop: ShopDomain;
beforeEach(async () => {
  shop = await installedShop(db);
});

/** Another process: it remembers no key. */
function another(store: KeyStore = db.epochs.store, pool = db.pool) {
  const epochs: Epochs = createEpochs(store, db.masterKeys);
  const sealers = createSealers(pool, db.masterKeys, epochs);
  return { epochs, sealers, tenancy: createTenancy({ database: db, sealers, onJobs: () => {} }) };
}
const nameOf = async (id: string, tenancy = another().tenancy) =>
  (await tenancy.inShop(shop, (tenant) => tenant.requests.patientOf(id)))?.patient.firstName;
const erase = (id: string) =>
  db.tenancy.inShop(shop, (tenant) =>
    redact(tenant, { requestIds: [id], orderIds: [] }, new Date()),
  );
const maintain = async (turns = 3) => {
  for (let turn = 0; turn < turns; turn++) await maintainKeys(ports);
};
const onFailed = (name: string) => expect.fail(name);
const count = async (sql: string) =>
  Number((await db.pool.query<{ n: string }>(sql, [shop])).rows[0]?.n);

test("ends the epoch after an erasure, and keeps the living", async () => {
  const [gone, kept] = [
    await readyRequest(db, shop),
    await readyRequest(db, shop, { orderNumber: 2 }),
  ];
  const before = await db.epochs.list(shop);
  await erase(gone);
  await maintain();
  const after = await db.epochs.list(shop);
  expect(after).toHaveLength(1);
  expect(after).not.toEqual(before);
  expect(await count("SELECT count(*) AS n FROM tombstones WHERE store = $1")).toBe(0);
  expect((await db.epochs.tombstones(shop)).map(({ subject }) => subject)).toContain(
    `request ${gone}`,
  );
  expect(await nameOf(kept)).toBe("Ada");
  await maintain();
  expect(await db.epochs.list(shop)).toEqual(after);
});

test("destroys every epoch of an erased shop", async () => {
  await readyRequest(db, shop);
  await db.tenancy.inShop(shop, (tenant) => tenant.shops.uninstall(new Date()));
  const at = new Date();
  expect(await createShopEraser(db.pool).erase(shop, { askedAt: at, doneAt: at })).not.toBeNull();
  await maintain(1);
  expect(await db.epochs.list(shop)).toEqual([]);
  expect((await db.epochs.tombstones(shop)).map(({ subject }) => subject)).toEqual(["shop"]);
});

describe("a process that dies on the way", () => {
  /** Lets so many writes of the folder and statements of the database through, and no more. */
  function dying(after: number) {
    let left = after;
    const live = <A extends unknown[], T>(work: (...values: A) => T) => {
      return (...values: A): T => {
        if (left-- <= 0) throw new Error("died");
        return work(...values);
      };
    };
    const { store } = db.epochs;
    const query = live((sql: string, values: unknown[]) => db.pool.query(sql, values));
    const mortal = { ...store, put: live(store.put), remove: live(store.remove) };
    const pool = Object.assign(Object.create(db.pool), { query }) as typeof db.pool;
    const process = another(mortal, pool);
    return { hasDied: () => left < 0, ports: { ...ports, pool, sealers: process.sealers } };
  }

  test("loses nothing at any step, and the next one ends it", async () => {
    const kept = await readyRequest(db, shop);
    let steps = 0;
    for (; ; steps++) {
      const gone = await readyRequest(db, shop, { orderNumber: 10 + steps });
      await erase(gone);
      const mortal = dying(steps);
      for (let turn = 0; turn < 2; turn++)
        await maintainKeys(mortal.ports).catch((error: unknown) => {
          if (!mortal.hasDied()) throw error;
        });
      await db.pool.query("DELETE FROM leases");
      expect(await nameOf(kept)).toBe("Ada");
      await maintain();
      expect(await nameOf(kept)).toBe("Ada");
      expect(await db.epochs.list(shop)).toHaveLength(1);
      expect(await count("SELECT count(*) AS n FROM tombstones WHERE store = $1")).toBe(0);
      if (!mortal.hasDied()) break;
    }
    // It has died at each of them.
    expect(steps).toBeGreaterThan(20);
  }, 120_000);
});

describe("a restored database", () => {
  /** The state of now, to be come back to: another database of the same server, as a restored dump is. */
  async function backup() {
    await pauseAfterRestore(db.pool, { asked: false });
    const name = new URL(db.url).pathname.slice(1);
    const copy = `${name}_copy${Math.random().toString(36).slice(2, 8)}`;
    const server = databaseUrl(db.url, "postgres");
    await db.whileDown(() => administer(server, `CREATE DATABASE ${copy} TEMPLATE ${name}`));
    return {
      async restore() {
        const database = openDatabase({
          url: databaseUrl(db.url, copy),
          poolSize: 4,
          onError: () => {},
        });
        const epochs = createEpochs(db.epochs.store, db.masterKeys);
        const sealers = createSealers(database.pool, db.masterKeys, epochs);
        const tenancy = createTenancy({ database, sealers, onJobs: () => {} });
        return { ...database, epochs, sealers, tenancy };
      },
    };
  }

  test("opens the living and has nothing of the erased, before and after the erasures are done again", async () => {
    const gone = await readyRequest(db, shop);
    const kept = await readyRequest(db, shop, { orderNumber: 2 });
    const late = await readyRequest(db, shop, { orderNumber: 3 });
    const copy = await backup();
    await erase(gone);
    await maintain();
    // The epoch of this one has not ended when the database is restored.
    await erase(late);
    await maintain(1);

    const restored = await copy.restore();
    try {
      const { pool, epochs, tenancy } = restored;
      expect((await pauseAfterRestore(pool, { asked: false })).because).toBe("identity");
      // The two, and the messages' key of that time.
      expect(await recoverAllKeys({ ask: askPool(pool), epochs, onFailed })).toMatchObject({
        erased: 3,
      });
      expect(await nameOf(kept, tenancy)).toBe("Ada");
      for (const id of [gone, late]) await expect(nameOf(id, tenancy)).rejects.toThrow(/not known/);
      const { rows } = await pool.query(
        "SELECT payload FROM outbox WHERE name = 'replay-erasures' AND shop = $1",
        [shop],
      );
      expect(rows).toEqual([{ payload: { shop } }]);
      await replayErasures(
        {
          ...{ tenancy, logger, clock: { now: () => new Date() } },
          shopEraser: createShopEraser(pool),
          erasureNotes: createErasureNotes(epochs),
        },
        { shop },
      );
      for (const id of [gone, late]) expect(await nameOf(id, tenancy)).toBeUndefined();
      expect(await nameOf(kept, tenancy)).toBe("Ada");
    } finally {
      await restored.close();
    }
  });

  test("keeps no shop waiting for one whose epoch is lost", async () => {
    const lost = await installedShop(db);
    await readyRequest(db, lost);
    const gone = await readyRequest(db, shop);
    const copy = await backup();
    await erase(gone);
    await maintain(1);
    const [epoch] = await db.epochs.list(lost);
    const name = `epochs/${lost}/${epoch}.key`;
    const key = await db.epochs.store.get(name);
    await db.epochs.store.remove(name);
    const restored = await copy.restore();
    try {
      const { pool, epochs } = restored;
      const failed: string[] = [];
      await recoverAllKeys({ ask: askPool(pool), epochs, onFailed: (one) => failed.push(one) });
      expect(failed).toEqual([lost]);
      const { rows } = await pool.query("SELECT FROM data_keys WHERE subject = $1", [
        `request ${gone}`,
      ]);
      expect(rows).toEqual([]);
    } finally {
      await restored.close();
      if (key) await db.epochs.store.put(name, key);
    }
  });

  test("has all erased again but what a damaged note tells, which is named and done once the note is back", async () => {
    const [noted, lost] = [
      await readyRequest(db, shop),
      await readyRequest(db, shop, { orderNumber: 2 }),
    ];
    const copy = await backup();
    await erase(lost);
    await maintain(1);
    const [file] = await db.epochs.store.list(`tombstones/${shop}`);
    await erase(noted);
    await maintain(1);
    const name = `tombstones/${shop}/${file}`;
    const note = await db.epochs.store.get(name);
    await db.epochs.store.put(name, Buffer.from("{"));
    const restored = await copy.restore();
    try {
      const { pool, epochs, tenancy } = restored;
      const failed: unknown[] = [];
      await recoverAllKeys({
        ...{ ask: askPool(pool), epochs },
        onFailed: (of, error) => of === shop && failed.push(error),
      });
      expect(failed).toContainEqual(
        expect.objectContaining({ code: "note_damaged", files: [name] }),
      );
      const keysOf = async (id: string) =>
        (await pool.query("SELECT FROM data_keys WHERE subject = $1", [`request ${id}`])).rowCount;
      expect(await keysOf(noted)).toBe(0);
      const replay = () =>
        replayErasures(
          {
            ...{ tenancy, logger, clock: { now: () => new Date() } },
            shopEraser: createShopEraser(pool),
            erasureNotes: createErasureNotes(epochs),
          },
          { shop },
        );
      await expect(replay()).rejects.toMatchObject({ code: "note_damaged" });
      expect(await nameOf(noted, tenancy)).toBeUndefined();
      if (note) await db.epochs.store.put(name, note);
      await replay();
      expect(await nameOf(lost, tenancy)).toBeUndefined();
    } finally {
      await restored.close();
    }
  });

  test("is opened also when a process died while it destroyed the epoch of the backup", async () => {
    const kept = await readyRequest(db, shop);
    const [former] = await db.epochs.list(shop);
    const copy = await backup();
    await rotateKeys(ports, shop, "epochs");
    await db.epochs.store.put(`epochs/${shop}/${former}.key`, Buffer.alloc(120));
    const restored = await copy.restore();
    try {
      expect(await nameOf(kept, restored.tenancy)).toBe("Ada");
    } finally {
      await restored.close();
    }
  });

  test.each([false, true])(
    "of a time before a shop was erased has that shop erased again, and cares for the keys of all (installed since: %s)",
    async (isBack) => {
      const other = await installedShop(db);
      await readyRequest(db, shop);
      const gone = await readyRequest(db, shop, { orderNumber: 2 });
      await erase(gone);
      await maintain();
      const copy = await backup();
      await db.tenancy.inShop(shop, (tenant) => tenant.shops.uninstall(new Date()));
      const at = new Date();
      await createShopEraser(db.pool).erase(shop, { askedAt: at, doneAt: at });
      await maintain();
      if (isBack) await another().sealers.forShop(shop);

      const restored = await copy.restore();
      try {
        const { pool, epochs, sealers, tenancy } = restored;
        await pauseAfterRestore(pool, { asked: false });
        await checkEpochs({ ask: askPool(pool), epochs });
        await recoverAllKeys({ ask: askPool(pool), epochs, onFailed });
        await replayErasures(
          {
            ...{ tenancy, logger, clock: { now: () => new Date() } },
            shopEraser: createShopEraser(pool),
            erasureNotes: createErasureNotes(epochs),
          },
          { shop },
        );
        const { rows } = await pool.query("SELECT shop FROM shops WHERE shop = ANY($1)", [
          [shop, other],
        ]);
        expect(rows).toEqual([{ shop: other }]);
        await checkEpochs({ ask: askPool(pool), epochs });
        for (let turn = 0; turn < 3; turn++) await maintainKeys({ ...ports, pool, sealers });
      } finally {
        await restored.close();
      }
    },
  );

  test("is opened by a process that has not heard of the restore", async () => {
    const gone = await readyRequest(db, shop);
    const kept = await readyRequest(db, shop, { orderNumber: 2 });
    const copy = await backup();
    await erase(gone);
    await maintain();
    const restored = await copy.restore();
    try {
      expect(await nameOf(kept, restored.tenancy)).toBe("Ada");
    } finally {
      await restored.close();
    }
  });
});

describe("a rotation", () => {
  test.each(["epochs", "shops", "patients"] as const)(
    "of %s fails no reader and no writer, and leaves no former key",
    async (level) => {
      const ids: string[] = [];
      for (let n = 0; n < 6; n++) ids.push(await readyRequest(db, shop, { orderNumber: 50 + n }));
      const before = (
        await db.pool.query("SELECT wrapped_key FROM data_keys WHERE shop = $1", [shop])
      ).rowCount;
      const processes = [another(), another()];
      let isOver = false;
      let reads = 0;
      const load = processes.map(async ({ tenancy, sealers }) => {
        while (!isOver) {
          // Every round reads its keys anew, at whatever moment of the rotation that is.
          sealers.forget(shop);
          for (const id of ids) {
            const name = await tenancy.inShop(shop, async (tenant) => {
              const details = await tenant.requests.patientOf(id);
              if (details) await tenant.requests.savePatient(id, details, new Date());
              return details?.patient.firstName;
            });
            expect(name).toBe("Ada");
            reads++;
          }
        }
      });
      const patient = { ...ports, retiredForMs: 2_000 };
      expect(await rotateKeys(patient, shop, level)).toBeGreaterThan(1);
      const waiting = async () => {
        await maintainKeys(patient);
        return count(
          `SELECT (SELECT count(*) FROM resealings WHERE shop = $1 AND finished_at IS NULL)
                + (SELECT count(*) FROM data_keys WHERE shop = $1 AND retired_at IS NOT NULL) AS n`,
        );
      };
      await expect.poll(waiting, { timeout: 90_000, interval: 200 }).toBe(0);
      isOver = true;
      await Promise.all(load);
      expect(reads).toBeGreaterThan(0);
      for (const id of ids) expect(await nameOf(id)).toBe("Ada");
      expect(await count("SELECT count(*) AS n FROM data_keys WHERE shop = $1")).toBe(before);
      const walk = await db.pool.query(
        "SELECT cause, unreadable::int, finished_at IS NOT NULL AS done FROM resealings WHERE shop = $1",
        [shop],
      );
      expect(walk.rows).toEqual(
        level === "epochs" ? [] : [{ cause: level, unreadable: 0, done: true }],
      );
    },
  );
});
