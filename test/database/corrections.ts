import type { TestDatabase } from "./database.ts";

/** Reads a shop's stored corrections, oldest first. */
export async function correctionsOf(db: TestDatabase, shop: string) {
  const { rows } = await db.pool.query<{ state: string; sealed: Buffer | null }>(
    `SELECT state, patient_sealed AS sealed FROM patient_corrections
     WHERE shop = $1 ORDER BY number`,
    [shop],
  );
  return rows;
}
