import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { openTestDatabase, temporaryKeyFolder } from "../../../test/database/database.ts";
import { sealBody } from "../../modules/kernel/postgres/inbox.ts";
import { KeyDamaged } from "../errors.ts";
import { createEpochs } from "./epochs.ts";
import { readMasterKeys } from "./master-keys.ts";
import { createSealers } from "./sealers.ts";

const ONE = "one.myshopify.com";
const TWO = "two.myshopify.com";
const place = { table: "results", column: "snapshot", row: "1" };
const db = await openTestDatabase();
const ring = (...ids: string[]) =>
  ids.map((id) => `${id}:${keys[id]?.toString("base64")}`).join(",");
const keys: Record<string, Buffer> = { old: randomBytes(32), new: randomBytes(32) };

const folder = temporaryKeyFolder();
const sealersWith = (...ids: string[]) => {
  const masterKeys = readMasterKeys(ring(...ids));
  return createSealers(db.pool, masterKeys, createEpochs(folder, masterKeys));
};
const destroyKeys = (shop: string) =>
  db.pool.query("DELETE FROM data_keys WHERE shop = $1", [shop]);

test("any process opens what another one sealed, also when both met the shop first", async () => {
  const processes = Array.from({ length: 10 }, () => sealersWith("old"));
  const sealers = await Promise.all(processes.map((one) => one.forShop(ONE)));
  const sealed = sealers.map((sealer) => sealer.seal(place, "ferritin 12"));
  for (const sealer of sealers)
    for (const value of sealed) expect(sealer.open(place, value).toString()).toBe("ferritin 12");
  const { rows } = await db.pool.query(
    "SELECT subject, version FROM data_keys WHERE shop = $1 ORDER BY 1",
    [ONE],
  );
  expect(rows).toEqual(["hashes", "messages", "shop"].map((subject) => ({ subject, version: 1 })));
});

test("a long value takes less room than its text, and one that was sealed as plain text opens", async () => {
  const sealer = await sealersWith("old").forShop(ONE);
  const biomarkers = Array.from({ length: 60 }, (_, index) => ({
    ...{
      name: `Marker ${index}`,
      unit: "mmol/L",
      range: { low: 3.5, high: 5.1 },
      value: index / 7,
    },
  }));
  const text = JSON.stringify({ biomarkers });
  const sealed = sealer.sealJson(place, { biomarkers });
  expect(sealed.length).toBeLessThan(text.length / 3);
  expect(sealer.openJson(place, sealed)).toEqual({ biomarkers });
  expect(sealer.openJson(place, sealer.seal(place, text))).toEqual({ biomarkers });
  for (const short of ["", null, 0, { name: "Ada" }])
    expect(sealer.openJson(place, sealer.sealJson(place, short))).toEqual(short);
});

test("ciphertext of one shop does not open for another", async () => {
  const sealers = sealersWith("old");
  const sealed = (await sealers.forShop(ONE)).seal(place, "ferritin 12");
  const other = await sealers.forShop(TWO);
  expect(() => other.open(place, sealed)).toThrow();
});

test("a data key moved to another subject's row seals and opens nothing", async () => {
  await sealersWith("old").forShop(ONE);
  const sealed = (await sealersWith("old").forShop(TWO)).messages.seal(place, "x");
  await db.pool.query(
    `UPDATE data_keys k SET wrapped_key = o.wrapped_key FROM data_keys o
     WHERE o.shop = k.shop AND k.shop = $1 AND k.subject = 'messages' AND o.subject = 'shop'`,
    [TWO],
  );
  const { messages } = await sealersWith("old").forShop(TWO);
  expect(() => messages.seal(place, "x")).toThrow(KeyDamaged);
  expect(() => messages.open(place, sealed)).toThrow(KeyDamaged);
  await destroyKeys(TWO);
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
  await destroyKeys(ONE);
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
