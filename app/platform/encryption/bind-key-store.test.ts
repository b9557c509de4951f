import { expect, test } from "vitest";
import { openTestDatabase, temporaryKeyFolder } from "../../../test/database/database.ts";
import { bindKeyStore, checkKeyStore } from "./bind-key-store.ts";
import { createKeyFolder } from "./key-folder.ts";
import type { KeyStore } from "./key-store.ts";

const one = await openTestDatabase();
const two = await openTestDatabase();
const fresh = await openTestDatabase();

async function bind(db: typeof one, folder: KeyStore): Promise<KeyStore> {
  const client = await db.pool.connect();
  return bindKeyStore(client, folder).finally(() => client.release());
}

test("gives each database a part of its own, and every process of one the same", async () => {
  const folder = temporaryKeyFolder();
  const [mine, same] = await Promise.all([bind(one, folder), bind(one, folder)]);
  const other = await bind(two, folder);
  await mine.put("epochs/a/1.key", Buffer.from("x"));
  expect(await same.list("epochs/a")).toEqual(["1.key"]);
  expect(await other.list("epochs/a")).toEqual([]);
  await checkKeyStore(one.pool, mine);
});

test("names the setting of a folder that can't be made, for a new database and for one that has keys", async () => {
  const place = temporaryKeyFolder();
  await place.put("file", Buffer.from("x"));
  const folder = createKeyFolder(`${place.place}/file/keys`);
  for (const db of [one, fresh])
    await expect(bind(db, folder)).rejects.toThrow(
      `${folder.place} can't be used as the folder of keys (ENOTDIR): set PATHWAY_KEY_DIR to one that this process may make, read and write.`,
    );
});

test("refuses a folder without the database's part, and notices one that vanishes", async () => {
  const folder = temporaryKeyFolder();
  await expect(bind(one, folder)).rejects.toThrow(/does not hold this database's keys/);
  const [part] = await two.pool
    .query<{ identity: string }>("SELECT identity FROM key_store")
    .then(({ rows }) => rows);
  await expect(bind(two, folder)).rejects.toThrow(/set PATHWAY_KEY_DIR/);
  await folder.put(`${part?.identity}/identity`, Buffer.from(part?.identity ?? ""));
  const mine = await bind(two, folder);
  await mine.remove("identity");
  await expect(checkKeyStore(two.pool, mine)).rejects.toMatchObject({ code: "key_store_missing" });
});
