import type { Pool } from "pg";
import { type LeasePorts, withLease } from "../database/lease.ts";
import { isFormerServing } from "../database/served-until.ts";
import type { Epochs } from "./epochs.ts";
import type { MasterKeyRing } from "./master-keys.ts";

const BATCH = 500;

/** Name of the lease under which a shop's epochs change. */
export const EPOCH_LEASE = "epoch";

interface Rewrapped {
  rewrapped: number;
  unreadable: number;
}

/**
 * Wraps every key that an older master key wraps with the active one, so that the older one can be taken out of the
 * ring: epochs, and the keys that earlier versions gave to shops. Safe to run in many processes at once and to break
 * off at any point. A copy of a database that works leaves the folder as it is: the other one may not have the new master key,
 * and would open nothing any more. Returns how many keys were wrapped anew, and how many could not be: their master key is not
 * in the ring.
 */
export async function rewrapKeys(
  ports: LeasePorts,
  ring: MasterKeyRing,
  epochs: Epochs,
): Promise<Rewrapped> {
  const done = await rewrapFormerKeys(ports.pool, ring);
  if (await isFormerServing(ports.pool, epochs.store)) return done;
  for (const shop of await epochs.shops()) {
    if ((await epochs.underOldMaster(shop)).length === 0) continue;
    // An epoch that another process destroys at this moment must not be written again.
    await withLease(ports, { shop, name: EPOCH_LEASE }, async () => {
      for (const epoch of await epochs.underOldMaster(shop))
        done[(await epochs.rewrap(shop, epoch)) ? "rewrapped" : "unreadable"]++;
    });
  }
  return done;
}

async function rewrapFormerKeys(pool: Pool, ring: MasterKeyRing): Promise<Rewrapped> {
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
