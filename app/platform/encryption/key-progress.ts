import type { Pool } from "pg";

/** Where the care of keys stands, over all shops. Counts only. */
export interface KeyProgress {
  /** Erasures whose keys still exist in a copy somewhere: until the epoch is another. */
  erasures: number;
  oldestErasureSeconds: number | null;
  /** Shops whose data is being sealed anew, and how far that is. */
  shops: number;
  looked: number;
  resealed: number;
  unreadable: number;
  /** Shops with a key that an earlier version made. */
  formerKeys: number;
}

/** Reads how far erasures and rotations are, over all shops, by the database's own clock. */
export async function readKeyProgress(pool: Pick<Pool, "query">): Promise<KeyProgress> {
  const { rows } = await pool.query<KeyProgress>(
    `SELECT (SELECT count(*)::int FROM tombstones) AS erasures,
            (SELECT extract(epoch FROM now() - min(erased_at))::float8 FROM tombstones)
              AS "oldestErasureSeconds",
            count(*) FILTER (WHERE finished_at IS NULL)::int AS shops,
            coalesce(sum(looked_at), 0)::float8 AS looked,
            coalesce(sum(sealed_anew), 0)::float8 AS resealed,
            coalesce(sum(unreadable), 0)::float8 AS unreadable,
            (SELECT count(*)::int FROM shop_keys) AS "formerKeys"
     FROM resealings`,
  );
  if (!rows[0]) throw new Error("A count has no row");
  return rows[0];
}
