import { expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { migrateDatabase } from "../../migrate-database.ts";
import { migrate } from "./migrate.ts";

const db = await openTestDatabase();
const LAST = "20261123140100_loop_heartbeats";

/** The script of this migration changes the table `outbox`. */
async function forgetLastMigration(): Promise<void> {
  await db.pool.query("DELETE FROM _prisma_migrations WHERE migration_name = $1", [LAST]);
  await db.pool.query("DROP TABLE loop_heartbeats");
  await db.pool.query("ALTER TABLE outbox DROP COLUMN created_at");
}

/** Writes as a process of the former version goes on to do; returns how long it took. */
async function write(): Promise<number> {
  const since = performance.now();
  await db.pool.query("DELETE FROM outbox WHERE shop = 'nobody.myshopify.com'");
  return performance.now() - since;
}

test("a migration that waits for somebody's dump lets everybody else pass, and says for whom it waits", async () => {
  await forgetLastMigration();
  const dump = await db.pool.connect();
  const lines: string[] = [];
  try {
    await dump.query(
      "SET application_name TO 'pg_dump'; BEGIN; LOCK TABLE outbox IN ACCESS SHARE MODE",
    );
    const migrated = migrate(db.url, { say: (line) => lines.push(line) });
    await expect
      .poll(() => lines.join(), { timeout: 90_000 })
      .toMatch(/lock.*\(postgres, pg_dump, process \d+\)/);
    // Else until the dump ends, which it does not before these have written.
    for (let n = 0; n < 4; n++) expect(await write()).toBeLessThan(15_000);
    await dump.query("ROLLBACK");
    await migrated;
  } finally {
    await dump.query("ROLLBACK; RESET application_name");
    dump.release();
  }
  expect(lines.at(-1)).toBe("The database is at this version.");
});

test("a migration takes its time, whatever the login was given for its usual statements", async () => {
  await forgetLastMigration();
  const { rows } = await db.pool.query<{ name: string }>("SELECT current_database() AS name");
  const name = rows[0]?.name;
  await db.pool.query(
    `CREATE FUNCTION take_long() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(2); RETURN NEW; END';
     CREATE TRIGGER slow BEFORE UPDATE ON _prisma_migrations FOR EACH ROW EXECUTE FUNCTION take_long();
     ALTER DATABASE ${name} SET statement_timeout = '1500ms'`,
  );
  await migrate(db.url);
});

test("what the job engine changes takes its time too", async () => {
  await db.pool.query(
    `UPDATE pgboss.queue SET retry_limit = 1 WHERE name = 'maintain-shop';
     CREATE OR REPLACE FUNCTION take_long() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(11); RETURN NEW; END';
     CREATE TRIGGER slow BEFORE UPDATE ON pgboss.queue FOR EACH ROW EXECUTE FUNCTION take_long()`,
  );
  try {
    await migrateDatabase(db.url);
  } finally {
    await db.pool.query("DROP TRIGGER slow ON pgboss.queue");
  }
  const { rows } = await db.pool.query(
    "SELECT retry_limit > 1 AS it FROM pgboss.queue WHERE name = 'maintain-shop'",
  );
  expect(rows).toEqual([{ it: true }]);
});

test("a migration whose connection the server ends while nothing is asked fails with the server's own words", async () => {
  const migrating = migrate(db.url, {
    async prepareJobs() {
      await db.pool.query(
        `SELECT pg_terminate_backend(pid, 5000) FROM pg_locks
         WHERE locktype = 'advisory' AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      );
    },
  });
  await expect(migrating).rejects.toThrow("terminating connection due to administrator command");
});
