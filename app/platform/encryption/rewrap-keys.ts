import type { Pool } from "pg";
import type { MasterKeyRing } from "./master-keys.ts";

const BATCH = 500;

/**
 * Wraps every data key that an older master key wraps with the active one, so that the older one can be taken
 * out of the ring. Safe to run in many processes at once and to break off at any point. Returns how many keys
 * were wrapped anew, and how many could not be: their master key is not in the ring.
 */
export async function rewrapKeys(
  pool: Pool,
  ring: MasterKeyRing,
): Promise<{ rewrapped: number; unreadable: number }> {
  const done = { rewrapped: 0, unreadable: 0 };
  let after = "";
  for (;;) {
    const { rows } = await pool.query<{ shop: string; masterKeyId: string; wrapped: Buffer }>(
      `SELECT shop, master_key_id AS "masterKeyId", wrapped_key AS wrapped FROM shop_keys
       WHERE master_key_id <> $1 AND shop > $2 ORDER BY shop LIMIT ${BATCH}`,
      [ring.activeId, after],
    );
    for (const row of rows) {
      const fresh = rewrapped(ring, row);
      if (!fresh) {
        done.unreadable++;
        continue;
      }
      const { rowCount } = await pool.query(
        `UPDATE shop_keys SET master_key_id = $2, wrapped_key = $3
         WHERE shop = $1 AND wrapped_key = $4`,
        [row.shop, fresh.masterKeyId, fresh.wrapped, row.wrapped],
      );
      done.rewrapped += rowCount ?? 0;
    }
    const last = rows.at(-1);
    if (!last) return done;
    after = last.shop;
  }
}

function rewrapped(
  ring: MasterKeyRing,
  row: { shop: string; masterKeyId: string; wrapped: Buffer },
) {
  try {
    return ring.wrap(ring.unwrap(row, row.shop), row.shop);
  } catch {
    // Its master key is missing: the caller counts it as unreadable, and the start logs how many there are.
    return null;
  }
}
