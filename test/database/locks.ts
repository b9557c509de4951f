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
