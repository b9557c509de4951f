import { expect } from "vitest";
import type { TestDatabase } from "./database.ts";

/**
 * Until so many statements of this database wait for what somebody else has locked, or `over` has settled. A poll that
 * nobody waits for any more would turn the clock of a later test that has a fake one.
 */
export async function untilWaiting(
  db: TestDatabase,
  statements: number,
  over?: Promise<unknown>,
): Promise<void> {
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  over?.then(end, end);
  const waiting = async () => {
    if (isOver) return statements;
    const { rows } = await db.pool.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rows[0]?.n ?? 0;
  };
  await expect.poll(waiting, { timeout: 5000 }).toBe(statements);
}

/** The locks that other connections to this database hold of a table: in each copy of the template it has the same number. */
const HOLDS = `relation = $1::regclass AND pid <> pg_backend_pid()
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

/** How many locks of a table other connections to this database hold. */
export async function countHeld(db: TestDatabase, table: string): Promise<number> {
  const { rowCount } = await db.pool.query(`SELECT FROM pg_locks WHERE ${HOLDS}`, [table]);
  return rowCount ?? 0;
}

/** Ends each connection to this database that holds a lock of a table and waits for another one. Returns how many. */
export async function endWaitingHolders(db: TestDatabase, table: string): Promise<number> {
  const { rowCount } = await db.pool.query(
    `SELECT pg_terminate_backend(pid) FROM pg_locks
     WHERE NOT granted AND pid IN (SELECT pid FROM pg_locks WHERE granted AND ${HOLDS})`,
    [table],
  );
  return rowCount ?? 0;
}

/** Somebody else's transaction that has begun with this statement, and what it does next and last. */
export async function whoHolds(db: TestDatabase, sql: string, ...values: unknown[]) {
  const holder = await db.pool.connect();
  await holder.query("BEGIN");
  await holder.query(sql, values);
  return {
    change: (next: string, ...more: unknown[]) => holder.query(next, more),
    async end() {
      await holder.query("COMMIT");
      holder.release();
    },
  };
}

/** Somebody else's transaction that has locked a request. */
export const whoHoldsRequest = (db: TestDatabase, requestId: string) =>
  whoHolds(db, "SELECT FROM referral_requests WHERE id = $1 FOR UPDATE", requestId);
