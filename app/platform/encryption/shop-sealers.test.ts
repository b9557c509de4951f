import { randomBytes } from "node:crypto";
import type { Pool } from "pg";
import { describe, expect, test } from "vitest";
import { readMasterKeys } from "./master-keys.ts";
import { createSealers } from "./sealer.ts";

const ONE = "one.myshopify.com";
const TWO = "two.myshopify.com";
const place = { table: "results", column: "snapshot", row: "1" };
const ring = readMasterKeys(`id:${randomBytes(32).toString("base64")}`);

/** A table of wrapped keys. `missed`: how often a rival's key is not to be seen yet. */
function keyTable({ missed = 0 } = {}) {
  const keys = new Map<unknown, { masterKeyId: unknown; wrapped: unknown }>();
  const asked: unknown[] = [];
  const query = async (sql: string, [shop, masterKeyId, wrapped]: unknown[]) => {
    asked.push(shop);
    if (sql.startsWith("SELECT")) return { rowCount: keys.has(shop) ? 1 : 0, rows: [] };
    if (missed-- > 0) return { rows: [] };
    const stored = keys.get(shop) ?? { masterKeyId, wrapped };
    keys.set(shop, stored);
    return { rows: [stored] };
  };
  return { pool: { query } as unknown as Pool, asked };
}
const start = (table = keyTable()) => ({ ...table, sealers: createSealers(table.pool, ring) });

describe("a shop's sealer", () => {
  test("opens text, bytes and JSON that it sealed", async () => {
    const sealer = await start().sealers.forShop(ONE);
    expect(sealer.open(place, sealer.seal(place, "ferritin 12")).toString()).toBe("ferritin 12");
    const bytes = Buffer.from([0, 255]);
    expect(sealer.open(place, sealer.seal(place, bytes))).toEqual(bytes);
    const value = { name: "Zoë", list: [1, null] };
    expect(sealer.openJson(place, sealer.sealJson(place, value))).toEqual(value);
  });

  test("opens nothing of another shop or place", async () => {
    const { sealers } = start();
    const sealed = (await sealers.forShop(ONE)).seal(place, "x");
    const [own, other] = [await sealers.forShop(ONE), await sealers.forShop(TWO)];
    expect(() => other.open(place, sealed)).toThrow();
    expect(() => own.open({ ...place, row: "2" }, sealed)).toThrow();
  });

  test("tells equal values of one place by their fingerprint, and no others", async () => {
    const { sealers } = start();
    const { fingerprint } = await sealers.forShop(ONE);
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
    const other = await sealers.forShop(TWO);
    expect(other.fingerprint(place, "sam@example.com")).not.toEqual(one);
  });

  test("makes the same fingerprint in every version of this program", async () => {
    const fixed = { ...ring, unwrap: () => Buffer.alloc(32, 7) };
    const sealer = await createSealers(keyTable().pool, fixed).forShop(ONE);
    // It is stored, and compared with one that is made later.
    expect(sealer.fingerprint(place, "sam@example.com").toString("hex")).toBe(
      "ebf6ec15ff1a351f4f0fbeb9e2441ece344da1e0df89813157014ffe753d7b84",
    );
  });

  test("does not keep its fingerprint when its key is another", async () => {
    const [one, other] = [await start().sealers.forShop(ONE), await start().sealers.forShop(ONE)];
    expect(one.fingerprint(place, "x")).not.toEqual(other.fingerprint(place, "x"));
  });
});

describe("the keys of shops", () => {
  test("are looked up once, until they are forgotten", async () => {
    const { sealers, asked } = start();
    expect(sealers.remembered(ONE)).toBeUndefined();
    const sealer = await sealers.forShop(ONE);
    expect(await sealers.forShop(ONE)).toBe(sealer);
    expect(sealers.remembered(ONE)).toBe(sealer);
    expect(asked).toEqual([ONE]);
    sealers.forget(ONE);
    expect(sealers.remembered(ONE)).toBeUndefined();
    const sealed = sealer.seal(place, "x");
    expect((await sealers.forShop(ONE)).open(place, sealed).toString()).toBe("x");
    expect(asked).toEqual([ONE, ONE]);
  });

  test("are forgotten one by one, or all", async () => {
    const { sealers } = start();
    for (const shop of [ONE, TWO] as const) await sealers.forShop(shop);
    sealers.forget(ONE);
    expect(sealers.remembered(TWO)).toBeDefined();
    sealers.forgetAll();
    expect(sealers.remembered(TWO)).toBeUndefined();
  });

  test("are known when they are remembered or stored", async () => {
    const { sealers, asked } = start();
    expect(await sealers.knows(ONE)).toBe(false);
    await sealers.forShop(ONE);
    const before = asked.length;
    expect(await sealers.knows(ONE)).toBe(true);
    expect(asked).toHaveLength(before);
    sealers.forget(ONE);
    expect(await sealers.knows(ONE)).toBe(true);
    expect(asked).toHaveLength(before + 1);
  });

  test("are asked for again when a rival's is not to be seen yet", async () => {
    const table = keyTable({ missed: 2 });
    const sealed = (await start(table).sealers.forShop(ONE)).seal(place, "x");
    expect(table.asked).toHaveLength(3);
    expect((await start(table).sealers.forShop(ONE)).open(place, sealed).toString()).toBe("x");
  });

  test("are let go of together once they are ten thousand", async () => {
    const { sealers } = start();
    const shops = Array.from({ length: 10_000 }, (_, n) => `s${n}.myshopify.com` as const);
    for (const shop of shops) await sealers.forShop(shop);
    expect(sealers.remembered("s0.myshopify.com")).toBeDefined();
    await sealers.forShop(ONE);
    expect(sealers.remembered("s0.myshopify.com")).toBeUndefined();
    expect(sealers.remembered(ONE)).toBeDefined();
  });
});
