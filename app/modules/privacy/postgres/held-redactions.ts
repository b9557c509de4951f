import type { Pool } from "pg";

/** Redactions that wait for an operator's word, of all shops. */
export interface HeldRedactions {
  count: number;
  /** Since the oldest of them came; 0 when none waits. */
  oldestSeconds: number;
}

/** Counts the open redactions that say how much newer data they leave (docs/decisions/0023), by the database's own clock. */
export async function readHeldRedactions(pool: Pick<Pool, "query">): Promise<HeldRedactions> {
  const { rows } = await pool.query<HeldRedactions>(
    `SELECT count(*)::int AS count, coalesce(extract(epoch FROM now() - min(opened_at)), 0)::float8 AS "oldestSeconds"
     FROM privacy_requests WHERE kind = 'customer_redacted' AND done_at IS NULL AND receipt ? 'newer'`,
  );
  if (!rows[0]) throw new Error("A count has no row");
  return rows[0];
}
