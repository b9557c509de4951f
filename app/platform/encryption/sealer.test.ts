import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { sealBody } from "../../modules/kernel/postgres/inbox.ts";
import { readMasterKeys } from "./master-keys.ts";
import { createSealers } from "./sealer.ts";

const ONE = "one.myshopify.com";
const TWO = "two.myshopify.com";
const place = { table: "results", column: "snapshot", row: "1" };
const db = await openTestDatabase();
const ring = (...ids: string[]) =>
  ids.map((id) => `${id}:${keys[id]?.toString("base64")}`).join(",");
const keys: Record<string, Buffer> = { old: randomBytes(32), new: randomBytes(32) };

const sealersWith = (...ids: string[]) => createSealers(db.pool, readMasterKeys(ring(...ids)));

test("any process opens what another one sealed, also when both met the shop first", async () => {
  const processes = Array.from({ length: 10 }, () => sealersWith("old"));
  const sealers = await Promise.all(processes.map((one) => one.forShop(ONE)));
  const sealed = sealers.map((sealer) => sealer.seal(place, "ferritin 12"));
  for (const sealer of sealers)
    for (const value of sealed) expect(sealer.open(place, value).toString()).toBe("ferritin 12");
  expect((await db.pool.query("SELECT FROM shop_keys WHERE shop = $1", [ONE])).rowCount).toBe(1);
});

test("ciphertext of one shop does not open for another", async () => {
  const sealers = sealersWith("old");
  const sealed = (await sealers.forShop(ONE)).seal(place, "ferritin 12");
  const other = await sealers.forShop(TWO);
  expect(() => other.open(place, sealed)).toThrow();
});

test("a data key moved to another shop's row does not unwrap", async () => {
  await sealersWith("old").forShop(ONE);
  await sealersWith("old").forShop(TWO);
  await db.pool.query(
    "UPDATE shop_keys SET wrapped_key = (SELECT wrapped_key FROM shop_keys WHERE shop = $1) WHERE shop = $2",
    [ONE, TWO],
  );
  await expect(sealersWith("old").forShop(TWO)).rejects.toThrow();
  await db.pool.query("DELETE FROM shop_keys WHERE shop = $1", [TWO]);
});

test("a new master key opens what the old one wrapped, while both are listed", async () => {
  const sealed = (await sealersWith("old").forShop(ONE)).seal(place, "x");
  expect((await sealersWith("new", "old").forShop(ONE)).open(place, sealed).toString()).toBe("x");
  await expect(sealersWith("new").forShop(ONE)).rejects.toThrow(
    /"old" is not in PATHWAY_MASTER_KEYS/,
  );
});

test("forgetting a shop's key makes its data unreadable", async () => {
  const sealed = (await sealersWith("old").forShop(ONE)).seal(place, "x");
  await db.pool.query("DELETE FROM shop_keys WHERE shop = $1", [ONE]);
  const fresh = await sealersWith("old").forShop(ONE);
  expect(() => fresh.open(place, sealed)).toThrow();
});

test("two sealed columns that were swapped in the table do not open", async () => {
  const shop = "three.myshopify.com";
  const bodyOf = (id: string) =>
    db.tenancy.inShop(shop, async (tenant) => (await tenant.inbox.find(id))?.body.toString());
  const sealer = await db.sealers.forShop(shop);
  const insert = async (event: string) => {
    const envelope = { source: "shopify", topic: "orders/paid", eventId: event };
    const { rows } = await db.pool.query<{ id: string }>(
      `INSERT INTO inbox (shop, source, topic, event_id, body_sealed)
       VALUES ($1, 'shopify', 'orders/paid', $2, $3) RETURNING id`,
      [shop, event, sealBody(sealer, envelope, Buffer.from(`body of ${event}`))],
    );
    return rows[0]?.id ?? "";
  };
  const [a, b] = [await insert("a"), await insert("b")];
  expect(await bodyOf(a)).toBe("body of a");
  await db.pool.query(
    `UPDATE inbox SET body_sealed = other.body_sealed FROM inbox other
     WHERE inbox.id IN ($1, $2) AND other.id IN ($1, $2) AND other.id <> inbox.id`,
    [a, b],
  );
  await expect(bodyOf(a)).rejects.toThrow();
  await expect(bodyOf(b)).rejects.toThrow();
});

test.each(["", "id", "id:c2hvcnQ=", ":abc", "a:b:c"])(
  "%j is no key ring, and is not repeated",
  (text) => {
    expect(() => readMasterKeys(text)).toThrow(/^PATHWAY_MASTER_KEYS/);
  },
);
