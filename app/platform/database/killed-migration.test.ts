import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { migrate } from "./migrate.ts";

const db = await openTestDatabase();
const LAST = "20261123140100_loop_heartbeats";

const COMMAND = fileURLToPath(new URL("../../commands/migrate.ts", import.meta.url));
const env = { ...process.env, DATABASE_URL: db.url };

async function forgetLastMigration(): Promise<void> {
  await db.pool.query("DELETE FROM _prisma_migrations WHERE migration_name = $1", [LAST]);
  await db.pool.query("DROP TABLE loop_heartbeats");
  await db.pool.query("ALTER TABLE outbox DROP COLUMN created_at");
}

/** Begins a migration in a process of its own, and kills all of it once a statement of its script waits. */
async function killWhileWaiting(): Promise<void> {
  const child = spawn(process.execPath, [COMMAND], { env, detached: true, stdio: "ignore" });
  await expect.poll(countWaiting, { timeout: 60_000 }).toBe(1);
  process.kill(-(child.pid ?? 0), "SIGKILL");
  await once(child, "exit");
}

/** Connections that wait for a table or a row, not for their turn. */
async function countWaiting(): Promise<number> {
  const { rows } = await db.pool.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock' AND wait_event <> 'advisory'`,
  );
  return rows[0]?.n ?? 0;
}

async function finished(): Promise<number> {
  const { rowCount } = await db.pool.query(
    `SELECT FROM _prisma_migrations
     WHERE migration_name = $1 AND finished_at IS NOT NULL AND rolled_back_at IS NULL`,
    [LAST],
  );
  return rowCount ?? 0;
}

test("a migration whose process was killed goes on in the server, and the next one waits for it", async () => {
  await forgetLastMigration();
  const holder = await db.pool.connect();
  try {
    await holder.query("BEGIN; LOCK TABLE outbox IN ACCESS EXCLUSIVE MODE");
    await killWhileWaiting();
    const lines: string[] = [];
    const next = migrate(db.url, { say: (line) => lines.push(line) });
    await expect.poll(() => lines.join(), { timeout: 60_000 }).toContain("waiting");
    await holder.query("ROLLBACK");
    await next;
    expect(await finished()).toBe(1);
  } finally {
    await holder.query("ROLLBACK");
    holder.release();
  }
});

test("a migration is noted with what it did, whenever its process is killed", async () => {
  await forgetLastMigration();
  await db.pool.query(
    `CREATE TABLE gate (); CREATE FUNCTION wait_at_gate() RETURNS trigger LANGUAGE plpgsql AS
       'BEGIN LOCK TABLE gate; RETURN NEW; END';
     CREATE TRIGGER gate BEFORE UPDATE ON _prisma_migrations FOR EACH ROW
       EXECUTE FUNCTION wait_at_gate()`,
  );
  const holder = await db.pool.connect();
  try {
    await holder.query("BEGIN; LOCK TABLE gate");
    await killWhileWaiting();
    await holder.query("ROLLBACK");
    await db.pool.query("DROP TRIGGER gate ON _prisma_migrations");
    await migrate(db.url);
    expect(await finished()).toBe(1);
  } finally {
    await holder.query("ROLLBACK");
    holder.release();
  }
});

test("a migration that waits for its turn hears that it is to stop, as the first process of a container too", async () => {
  const holder = await db.pool.connect();
  try {
    await holder.query("SELECT pg_advisory_lock(hashtextextended('pathway migrate', 0))");
    const child = spawn(process.execPath, [COMMAND], { env, stdio: ["ignore", "ignore", "pipe"] });
    await once(child.stderr, "data");
    child.kill("SIGTERM");
    // A handler of its own ended it: the kernel's, which the first process does not have, leaves no code.
    expect(await once(child, "exit")).toEqual([143, null]);
  } finally {
    holder.release(true);
  }
});
