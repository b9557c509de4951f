import { pauseAfterRestore } from "../../app/platform/database/pause-after-restore.ts";
import { createRestoreJournal } from "../../app/platform/database/restore-journal.ts";
import { createTenancy } from "../../app/tenancy.ts";
import { type TestDatabase, temporaryKeyFolder } from "./database.ts";
import { startLinked } from "./linked-results.ts";

/**
 * A shop whose processes keep a journal, and a database that is backed up, lost and restored: of these tables, these columns are then
 * as they were.
 */
export async function startRestorable(opened: TestDatabase, kept: Record<string, string[]>) {
  const folder = temporaryKeyFolder();
  await opened.pool.query("DELETE FROM database_identity");
  await pauseAfterRestore(opened.pool, { asked: false });
  let journal = createRestoreJournal(opened.pool, folder);
  const tenancy = createTenancy({
    ...{ database: opened, sealers: opened.sealers, onJobs: () => {} },
    restoreJournal: {
      note: (...words) => journal.note(...words),
      notedAt: (name) => journal.notedAt(name),
    },
  });
  const world = await startLinked({ ...opened, tenancy });
  const { shop } = world;
  return {
    ...world,
    tenancy,
    async backsUp() {
      for (const table of Object.keys(kept))
        await opened.pool.query(
          `DROP TABLE IF EXISTS kept_${table}; CREATE TABLE kept_${table} AS SELECT * FROM ${table}`,
        );
    },
    /** All that came after the backup is lost, and new processes find its database. */
    async restores() {
      await journal.beat();
      await opened.pool.query("UPDATE database_identity SET switched_at = now()");
      await opened.pool.query("DELETE FROM patient_sessions WHERE shop = $1", [shop]);
      for (const [table, columns] of Object.entries(kept))
        await opened.pool.query(
          `UPDATE ${table} t SET ${columns.map((one) => `${one} = k.${one}`).join()}
           FROM kept_${table} k WHERE k.id = t.id`,
        );
      journal = createRestoreJournal(opened.pool, folder);
    },
  };
}
