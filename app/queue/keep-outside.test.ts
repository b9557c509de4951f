import { mkdtempSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openTestDatabase } from "../../test/database/database.ts";
import { pauseAfterRestore } from "../platform/database/pause-after-restore.ts";
import { createRestoreJournal } from "../platform/database/restore-journal.ts";
import { noteServing, recordServedUntil } from "../platform/database/served-until.ts";
import { createKeyFolder } from "../platform/encryption/key-folder.ts";
import type { KeyStore } from "../platform/encryption/key-store.ts";
import { createLogger } from "../platform/logger.ts";
import { keepOutside } from "./keep-outside.ts";
import { watchVitals } from "./vitals.ts";

const db = await openTestDatabase();

/** A process that keeps what has to outlive the database in a folder. */
async function start({ isWorker = false, ready = (_folder: string) => {} } = {}) {
  await pauseAfterRestore(db.pool, { asked: false });
  const place = mkdtempSync(join(tmpdir(), "keys-"));
  ready(place);
  const folder: KeyStore = createKeyFolder(place);
  const vitals = watchVitals({ pool: db.pool, logger: createLogger("silent"), onHang: () => {} });
  vitals.ready();
  const work = isWorker ? () => noteServing(db.pool, folder) : undefined;
  const kept = keepOutside(
    { journal: createRestoreJournal(db.pool, folder), work },
    vitals.loop("key-folder", 10),
  );
  onTestFinished(async () => {
    vitals.stop();
    await kept.stop();
    await rm(place, { recursive: true });
  });
  return { folder, vitals };
}

const trouble = async (vitals: { loops(): { name: string; code: string | null }[] }) =>
  vitals.loops().find(({ name }) => name === "key-folder")?.code;

test("notes outside the database that it works", async () => {
  const { folder, vitals } = await start({ isWorker: true });
  await expect.poll(() => folder.list("serving")).toHaveLength(1);
  expect(await trouble(vitals)).toBe(null);
  // The next database looks it up by the identity that it finds noted.
  const { rows } = await db.pool.query(
    `UPDATE database_identity SET switched_at = now() + interval '1 hour', former_identity = identity
     RETURNING now() AS now`,
  );
  await recordServedUntil(db.pool, folder);
  const served = await db.pool.query(
    "SELECT served_until BETWEEN $1::timestamptz - interval '1 minute' AND $1 AS served FROM database_identity",
    [rows[0].now],
  );
  expect(served.rows).toEqual([{ served: true }]);
});

test("tells of a folder that takes no writes as that", async () => {
  // A file where a folder has to be: a test may run as somebody whom no rights stop.
  const ready = (folder: string) => writeFileSync(join(folder, "serving"), "");
  const { vitals } = await start({ isWorker: true, ready });
  await expect.poll(() => trouble(vitals)).toMatch(/^E[A-Z]+$/);
});

test("tells of a folder in which nobody can read what ended, where links go by it", async () => {
  await pauseAfterRestore(db.pool, { asked: false });
  await db.pool.query("UPDATE database_identity SET switched_at = now()");
  const ready = (folder: string) => writeFileSync(join(folder, "ended"), "");
  const { vitals } = await start({ ready });
  await expect.poll(() => trouble(vitals)).toMatch(/^E[A-Z]+$/);
});
