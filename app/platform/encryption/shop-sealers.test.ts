import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { openTestDatabase, temporaryKeyFolder } from "../../../test/database/database.ts";
import { askPool } from "./data-keys.ts";
import { createEpochs } from "./epochs.ts";
import { readMasterKeys } from "./master-keys.ts";
import { createSealers } from "./sealers.ts";

const db = await openTestDatabase();
const place = { table: "results", column: "snapshot", row: "1" };
const ring = readMasterKeys(`id:${randomBytes(32).toString("base64")}`);
const folder = temporaryKeyFolder();
const ask = askPool(db.pool);

/** Sealers of another process, and the statements that they ask. */
function start() {
  const asked: string[] = [];
  const query = ((sql: string, values: unknown[]) => {
    asked.push(sql);
    return db.pool.query(sql, values);
  }) as typeof db.pool.query;
  const pool = Object.assign(Object.create(db.pool), { query });
  return { asked, sealers: createSealers(pool, ring, createEpochs(folder, ring)) };
}
let shops = 0;
const newShop = () => `s${++shops}.myshopify.com` as const;

describe("a shop's sealer", () => {
  test("opens text, bytes and JSON that it sealed", async () => {
    const sealer = await start().sealers.forShop(newShop());
    expect(sealer.open(place, sealer.seal(place, "ferritin 12")).toString()).toBe("ferritin 12");
    const bytes = Buffer.from([0, 255]);
    expect(sealer.open(place, sealer.seal(place, bytes))).toEqual(bytes);
    const value = { name: "Zoë", list: [1, null] };
    expect(sealer.openJson(place, sealer.sealJson(place, value))).toEqual(value);
  });

  test("opens nothing of another shop, place or kind", async () => {
    const { sealers } = start();
    const [one, two] = [newShop(), newShop()];
    const [own, other] = [await sealers.forShop(one), await sealers.forShop(two)];
    const sealed = own.seal(place, "x");
    expect(() => other.open(place, sealed)).toThrow();
    expect(() => own.open({ ...place, row: "2" }, sealed)).toThrow();
    expect(() => own.messages.open(place, sealed)).toThrow();
  });

  test("tells equal values of one place by their fingerprint, and no others", async () => {
    const { sealers } = start();
    const { fingerprint } = await sealers.forShop(newShop());
    const one = fingerprint(place, "sam@example.com");
    expect(one).toHaveLength(32);
    expect(fingerprint(place, "sam@example.com")).toEqual(one);
    for (const [part, value] of [
      [{}, "pat@example.com"],
      [{ row: "2" }, "sam@example.com"],
      [{ column: "other" }, "sam@example.com"],
      [{ table: "other" }, "sam@example.com"],
    ] as const)
      expect(fingerprint({ ...place, ...part }, value)).not.toEqual(one);
    const other = await sealers.forShop(newShop());
    expect(other.fingerprint(place, "sam@example.com")).not.toEqual(one);
  });

  test("makes the fingerprint that earlier versions stored", async () => {
    const shop = "one.myshopify.com";
    const { masterKeyId, wrapped } = ring.wrap(Buffer.alloc(32, 7), shop);
    await db.pool.query(
      "INSERT INTO shop_keys (shop, master_key_id, wrapped_key) VALUES ($1, $2, $3)",
      [shop, masterKeyId, wrapped],
    );
    const fixed = "ebf6ec15ff1a351f4f0fbeb9e2441ece344da1e0df89813157014ffe753d7b84";
    const sealer = await start().sealers.forShop(shop);
    // It is stored, and compared with one that is made later.
    expect(sealer.fingerprint(place, "sam@example.com").toString("hex")).toBe(fixed);
    await db.pool.query("DELETE FROM shop_keys WHERE shop = $1", [shop]);
    const later = await start().sealers.forShop(shop);
    expect(later.fingerprint(place, "sam@example.com").toString("hex")).toBe(fixed);
  });
});

describe("the keys of shops", () => {
  test("are looked up once, until they are forgotten", async () => {
    const { sealers, asked } = start();
    const shop = newShop();
    expect(sealers.remembered(shop)).toBeUndefined();
    const [sealer, same] = await Promise.all([sealers.forShop(shop), sealers.forShop(shop)]);
    expect(same).toBe(sealer);
    expect(sealers.remembered(shop)).toBe(sealer);
    const before = asked.length;
    expect(await sealers.forShop(shop)).toBe(sealer);
    expect(asked).toHaveLength(before);
    sealers.forget(shop);
    expect(sealers.remembered(shop)).toBeUndefined();
    const sealed = sealer.seal(place, "x");
    expect((await sealers.forShop(shop)).open(place, sealed).toString()).toBe("x");
    expect(asked.length).toBeGreaterThan(before);
  });

  test("are forgotten one by one, or all", async () => {
    const { sealers } = start();
    const [one, two] = [newShop(), newShop()];
    for (const shop of [one, two]) await sealers.forShop(shop);
    sealers.forget(one);
    expect(sealers.remembered(two)).toBeDefined();
    sealers.forgetAll();
    expect(sealers.remembered(two)).toBeUndefined();
  });

  test("are known when they are remembered or stored", async () => {
    const { sealers, asked } = start();
    const shop = newShop();
    expect(await sealers.knows(shop)).toBe(false);
    await sealers.forShop(shop);
    const before = asked.length;
    expect(await sealers.knows(shop)).toBe(true);
    expect(asked).toHaveLength(before);
    sealers.forget(shop);
    expect(await sealers.knows(shop)).toBe(true);
    expect(asked).toHaveLength(before + 1);
  });
});

describe("the keys of a request", () => {
  /** Work with the keys of a shop as one transaction of a process would. */
  async function keysOf({ sealers }: ReturnType<typeof start>, shop: ReturnType<typeof newShop>) {
    return sealers.subjects(shop, await sealers.forShop(shop), ask);
  }

  test("open what another process sealed for the same request, and nothing of another", async () => {
    const shop = newShop();
    const [one, two] = [await keysOf(start(), shop), await keysOf(start(), shop)];
    const sealed = (await one.sealer({ request: "a" })).seal(place, "ferritin 12");
    expect((await two.opener({ request: "a" })).open(place, sealed).toString()).toBe("ferritin 12");
    await one.sealer({ request: "b" });
    const openers = await two.openers([{ request: "a" }, { request: "b" }]);
    expect(openers({ request: "a" }).open(place, sealed).toString()).toBe("ferritin 12");
    expect(() => openers({ request: "b" }).open(place, sealed)).toThrow();
  });

  test("are not made by a look at what is sealed", async () => {
    const shop = newShop();
    const keys = await keysOf(start(), shop);
    const sealed = (await keys.sealer({ request: "a" })).seal(place, "x");
    const opener = await keys.opener({ request: "never" });
    expect(() => opener.open(place, sealed)).toThrow(/not known here/);
    const { rowCount } = await db.pool.query(
      "SELECT FROM data_keys WHERE shop = $1 AND subject = 'request never'",
      [shop],
    );
    expect(rowCount).toBe(0);
  });

  test("are gone after they were destroyed, with a note of it", async () => {
    const shop = newShop();
    const process = start();
    const keys = await keysOf(process, shop);
    const sealed = (await keys.sealer({ request: "a" })).seal(place, "x");
    keys.committed();
    const later = await keysOf(process, shop);
    await later.destroy([{ request: "a" }]);
    later.committed();
    const after = await keysOf(process, shop);
    await expect(
      after.opener({ request: "a" }).then((opener) => opener.open(place, sealed)),
    ).rejects.toThrow(/not known here/);
    const { rows } = await db.pool.query("SELECT subject FROM tombstones WHERE store = $1", [shop]);
    expect(rows).toEqual([{ subject: "request a" }]);
  });
});
