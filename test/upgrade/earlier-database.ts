import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import pg from "pg";
import { afterAll, inject } from "vitest";
import { migrateDatabase } from "../../app/migrate-database.ts";
import type { ShopDomain } from "../../app/modules/kernel/ids.ts";
import { openDatabase } from "../../app/platform/database/database.ts";
import { askPool } from "../../app/platform/encryption/data-keys.ts";
import { createEpochs } from "../../app/platform/encryption/epochs.ts";
import { readMasterKeys } from "../../app/platform/encryption/master-keys.ts";
import type { FieldPlace } from "../../app/platform/encryption/sealer.ts";
import { createSealers } from "../../app/platform/encryption/sealers.ts";
import { seal } from "../../app/platform/encryption/sealing.ts";
import { createTenancy } from "../../app/tenancy.ts";
import { administer, databaseUrl, dropDatabase } from "../database/administer.ts";
import { temporaryKeyFolder } from "../database/database.ts";

const read = (name: string) => readFileSync(new URL(name, import.meta.url));

/** The contents of the dump of commit dc09403, as its maker knew them: made-up people of the sandbox. */
export const FACTS = JSON.parse(read("./dc09403.json").toString()) as {
  shop: string;
  masterKeys: string;
  buyer: { id: string; email: string };
  requests: Record<string, string[]>;
  unreadOrder: string;
  patients: Record<string, Record<string, unknown>>;
  links: Record<string, string>;
  documents: { id: string; request: string; kind: string; bytes: number; sha256: string }[];
};

/** A moment in which nothing in the dump has expired yet. */
export const AT_THE_DUMP = new Date("2026-11-23T08:05:00Z");

/**
 * Restores the dump into a database of its own and brings it to this version. Dropped after the tests of the file. `add`
 * puts more rows into it before, as the earlier version would have.
 */
export async function openEarlierDatabase(
  add?: (
    pool: pg.Pool,
    sealAsEarlier: (place: FieldPlace, value: unknown) => Promise<Buffer>,
  ) => Promise<void>,
) {
  const { serverUrl } = inject("testDatabase");
  const name = `pathway_earlier_${randomUUID().slice(0, 8)}`;
  await administer(serverUrl, `CREATE DATABASE ${name}`);
  const url = databaseUrl(serverUrl, name);
  const client = new pg.Client(url);
  await client.connect();
  await client.query(gunzipSync(read("./dc09403.sql.gz")).toString());
  await client.end();
  const database = openDatabase({ url, poolSize: 4, onError: () => {} });
  const masterKeys = readMasterKeys(FACTS.masterKeys);
  const sealers = createSealers(
    database.pool,
    masterKeys,
    createEpochs(temporaryKeyFolder(), masterKeys),
  );
  await add?.(database.pool, async (place, value) => {
    const former = await sealers.keys.former(askPool(database.pool), FACTS.shop as ShopDomain);
    if (!former) throw new Error("The dump holds no key");
    const text = Buffer.from(JSON.stringify(value));
    return seal(former.key, 0, { shop: FACTS.shop, ...place }, text);
  });
  await migrateDatabase(url);
  afterAll(async () => {
    await database.close();
    await dropDatabase(serverUrl, name);
  });
  return { ...database, sealers, tenancy: createTenancy({ database, sealers, onJobs: () => {} }) };
}
