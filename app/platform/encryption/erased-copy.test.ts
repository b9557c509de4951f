/** The thief of everything: a copy of PostgreSQL's whole data directory, with every key that exists at that moment. */
import { randomBytes, randomUUID } from "node:crypto";
import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { TestDatabase } from "../../../test/database/database.ts";
import { openedWords } from "../../../test/database/opened-words.ts";
import { readyRequest, storeOrder } from "../../../test/database/seed.ts";
import { makeDataFolder } from "../../../test/setup/data-folder.ts";
import { startPostgres } from "../../../tools/embedded-postgres.ts";
import { gid } from "../../modules/kernel/ids.ts";
import { sealBody } from "../../modules/kernel/postgres/inbox.ts";
import { redact } from "../../modules/privacy/privacy/redact.ts";
import { SEALED_COLUMNS } from "../../sealed-columns.ts";
import { createTenancy } from "../../tenancy.ts";
import { openDatabase } from "../database/database.ts";
import { migrate } from "../database/migrate.ts";
import { createLogger } from "../logger.ts";
import { createEpochs, unwrapByEpoch } from "./epochs.ts";
import { createKeyFolder } from "./key-folder.ts";
import { maintainKeys } from "./maintain-keys.ts";
import { readMasterKeys } from "./master-keys.ts";
import { createSealers } from "./sealers.ts";
import { unseal } from "./sealing.ts";

const SHOP = "thief.myshopify.com";
const folder = makeDataFolder("pathway-copy-");
const postgres = await startPostgres({ dir: join(folder, "postgres"), port: 0 });
await migrate(postgres.url);
const database = openDatabase({ url: postgres.url, poolSize: 4, onError: () => {} });
const { pool } = database;
const keyFolder = join(folder, "keys");
const masterKeys = readMasterKeys(`m:${randomBytes(32).toString("base64")}`);
const sealers = createSealers(
  pool,
  masterKeys,
  createEpochs(createKeyFolder(keyFolder), masterKeys),
);
const tenancy = createTenancy({ database, sealers, onJobs: () => {} });
const db = { ...database, tenancy, sealers } as unknown as TestDatabase;
const dataDirectory = (await pool.query("SHOW data_directory")).rows[0].data_directory as string;
afterAll(async () => {
  await database.close();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
  rmSync(dataDirectory, { recursive: true, force: true });
});

const maintain = () =>
  maintainKeys({
    ...{ pool, sealers, columns: SEALED_COLUMNS, retiredForMs: 0 },
    logger: createLogger("silent"),
  });

/** A value that was sealed, and where. */
interface Loot {
  place: { shop: string; table: string; column: string; row: string };
  subject: string;
  sealed: Buffer;
}
/** A data key that was wrapped once. */
interface WrappedLoot {
  subject: string;
  version: number;
  wrapped: Buffer;
}

/** Everything sealed about some subjects, and every wrapped key, as the tables hold them now. */
async function loot(subjects: string[]): Promise<{ sealed: Loot[]; wrapped: WrappedLoot[] }> {
  const sealed: Loot[] = [];
  for (const { table, column, place, subject } of SEALED_COLUMNS) {
    const { rows } = await pool.query<{ row: string; subject: string; sealed: Buffer }>(
      `SELECT ${place[2]} AS row, ${subject} AS subject, ${column} AS sealed FROM ${table} t
       WHERE shop = $1 AND length(${column}) > 0 AND ${subject} = ANY($2)`,
      [SHOP, subjects],
    );
    for (const { row, ...found } of rows)
      sealed.push({ ...found, place: { shop: SHOP, table: place[0], column: place[1], row } });
  }
  const { rows: wrapped } = await pool.query<WrappedLoot>(
    "SELECT subject, version, wrapped_key AS wrapped FROM data_keys WHERE shop = $1",
    [SHOP],
  );
  return { sealed, wrapped };
}

/** Every byte of every file of the data directory: tables with their dead rows, the write-ahead log, and the rest. */
async function copyOfDisk(): Promise<Buffer[]> {
  await pool.query("CHECKPOINT");
  const files = (path: string): string[] =>
    readdirSync(path).flatMap((name) => {
      const inside = join(path, name);
      return statSync(inside).isDirectory() ? files(inside) : [inside];
    });
  return files(dataDirectory).map((path) => readFileSync(path));
}

/** Opens what the keys that exist now open: masters, epochs, and with them every data key that ever was wrapped. */
async function openedByAnyKey({ sealed, wrapped }: Awaited<ReturnType<typeof loot>>) {
  // A process of the thief's own, which remembers nothing.
  const epochs = createEpochs(createKeyFolder(keyFolder), masterKeys);
  const keys: Buffer[] = [];
  const living: WrappedLoot[] = [];
  for (const epoch of await epochs.list(SHOP))
    for await (const part of epochs.livingKeys(SHOP, epoch))
      living.push(...part.map((key) => ({ ...key, wrapped: Buffer.from(key.wrapped) })));
  for (const epoch of await epochs.list(SHOP)) {
    const epochKey = await epochs.key(SHOP, epoch);
    for (const { subject, version, wrapped: bytes } of [...wrapped, ...living]) {
      const key =
        epochKey && attempt(() => unwrapByEpoch(epochKey, { shop: SHOP, subject, version }, bytes));
      if (key) keys.push(key);
    }
  }
  return sealed.flatMap(({ place, sealed: bytes }) => {
    const opened = keys.flatMap((key) => attempt(() => unseal(key, place, bytes)) ?? []);
    return opened[0] ? [`${place.table}.${place.column}: ${openedWords(opened[0])}`] : [];
  });
}

function attempt<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    // The key does not fit: the thief tries the next.
    return null;
  }
}

async function patient(canary: string, orderNumber: number): Promise<string> {
  const id = await readyRequest(db, SHOP, { orderNumber });
  const orderId = gid("Order", orderNumber);
  await tenancy.inShop(SHOP, async (tenant) => {
    const buyer = { ...storeOrder().buyer, firstName: `buyer ${canary}` };
    await tenant.orders.record(storeOrder({ id: orderId, buyer }), new Map(), new Date());
    const details = await tenant.requests.patientOf(id);
    if (!details) throw new Error("no details");
    const named = { ...details.patient, lastName: `patient ${canary}` };
    await tenant.requests.savePatient(id, { ...details, patient: named }, new Date());
    await tenant.corrections.add(id, named, new Date());
    const document = {
      ...{ id: randomUUID(), requestId: id, customerId: null, kind: "result" as const },
      ...{ sourceUuid: randomUUID(), partial: false, sha256: randomUUID(), bytes: 10 },
    };
    await tenant.documents.store(document, Buffer.from(`pdf ${canary}`), new Date());
    const saved = { id: randomUUID(), patient: named, medicare: null };
    await tenant.savedPatients.add(gid("Customer", orderNumber), saved, new Date());
  });
  const envelope = { source: "shopify", topic: "orders/paid", eventId: canary };
  await pool.query(
    `INSERT INTO inbox (shop, source, topic, event_id, body_sealed) VALUES ($1, $2, $3, $4, $5)`,
    [
      ...[SHOP, envelope.source, envelope.topic, canary],
      sealBody(await sealers.forShop(SHOP), envelope, Buffer.from(`message ${canary}`)),
    ],
  );
  return id;
}

test("opens nothing of an erased patient once the epoch is another, and the living still", async () => {
  await tenancy.inShop(SHOP, (tenant) => tenant.shops.install("", new Date()));
  const erased = await patient("CANARY-ERASED", 1);
  const living = await patient("CANARY-LIVING", 2);
  const saved = async (number: number) => {
    const { rows } = await pool.query(
      "SELECT key_id FROM saved_patients WHERE shop = $1 AND customer_id = $2",
      [SHOP, gid("Customer", number)],
    );
    return `patient ${rows[0].key_id}`;
  };
  const subjects = [
    ...[`request ${erased}`, `order ${gid("Order", 1)}`, "messages"],
    await saved(1),
  ];
  const stolen = await loot(subjects);
  const theirs = (found: string[]) => found.filter((text) => text.includes("CANARY-ERASED"));
  const tables = [
    ...["document_bodies", "inbox", "orders", "patient_corrections", "referral_requests"],
    "saved_patients",
  ];
  const openedIn = (found: string[]) => theirs(found).map((text) => text.split(".")[0]);
  expect(openedIn(await openedByAnyKey(stolen)).toSorted()).toEqual(tables);

  await tenancy.inShop(SHOP, async (tenant) => {
    // Its message was handled.
    await tenant.inbox.finish(
      String(
        (await pool.query("SELECT id FROM inbox WHERE event_id = 'CANARY-ERASED'")).rows[0].id,
      ),
      "done",
    );
    await redact(tenant, { requestIds: [erased], orderIds: [gid("Order", 1)] }, new Date());
    await tenant.savedPatients.removeAllOf(gid("Customer", 1));
  });
  // The rows are gone, and what they said is on the disk: until the epoch ends, dead rows open.
  expect(openedIn(await openedByAnyKey(stolen)).toSorted()).toEqual(tables);

  for (let turns = 0; turns < 3; turns++) await maintain();
  expect((await pool.query("SELECT FROM tombstones")).rowCount).toBe(0);
  const disk = await copyOfDisk();
  const onDisk = (bytes: Buffer) => disk.some((file) => file.includes(bytes));
  // The copy holds what it takes: the ciphertext, and the wrapped key.
  const details = stolen.sealed.find(({ place }) => place.table === "referral_requests");
  const key = stolen.wrapped.find(({ subject }) => subject === `request ${erased}`);
  expect([details && onDisk(details.sealed), key && onDisk(key.wrapped)]).toEqual([true, true]);
  const now = await loot([
    ...[...subjects, `request ${living}`, `order ${gid("Order", 2)}`],
    await saved(2),
  ]);
  const all = {
    sealed: [...stolen.sealed, ...now.sealed],
    wrapped: [...stolen.wrapped, ...now.wrapped],
  };
  const opened = await openedByAnyKey(all);
  expect(theirs(opened)).toEqual([]);
  expect(openedIn(opened)).toEqual([]);
  expect(opened.filter((text) => text.includes("CANARY-LIVING"))).toHaveLength(6);
  for (const canary of ["buyer CANARY", "patient CANARY", "pdf CANARY", "message CANARY"])
    expect(onDisk(Buffer.from(canary))).toBe(false);
  const kept = await tenancy.inShop(SHOP, (tenant) => tenant.requests.patientOf(living));
  expect(kept?.patient.lastName).toBe("patient CANARY-LIVING");
}, 120_000);
