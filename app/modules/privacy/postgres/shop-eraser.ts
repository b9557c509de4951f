import { createHash, randomUUID } from "node:crypto";
import type { Pool, PoolClient } from "pg";
import { LimitedClient } from "../../../platform/database/limited-client.ts";
import { WHOLE_SHOP } from "../../../platform/encryption/subject.ts";
import { KEY_DESTROYED } from "../../../platform/encryption/subject-keys.ts";
import type { ShopEraser } from "../privacy.ts";

/**
 * A large shop has tens of millions of rows, of which a million takes some seconds. After five minutes its job is begun a second
 * time beside it, meets the lock of the first one, and is tried again later.
 */
const MAX_ERASURE_MS = 30 * 60_000;
const MAX_WAIT_MS = 5_000;
const BEGIN = `BEGIN; SET LOCAL statement_timeout TO ${MAX_ERASURE_MS}; SET LOCAL lock_timeout TO ${MAX_WAIT_MS}`;

/**
 * Destroys a shop in one transaction: its data keys and its rows in every table that has a column `shop`, by the one function
 * that may take away any row of the audit (`erase_shop`, prisma/access.sql). Copies of the keys become useless when the shop's
 * epochs end, which follows by itself. The shop's own row is locked first, so that a shop that is just coming back either stops
 * this or comes to an empty house.
 */
export function createShopEraser(pool: Pool): ShopEraser {
  return {
    async erase(shop, { askedAt, doneAt }) {
      const client = await pool.connect();
      let failure: Error | undefined;
      try {
        if (client instanceof LimitedClient) client.allow(MAX_ERASURE_MS);
        await client.query(BEGIN);
        const { rows } = await client.query<{ counts: Record<string, number> | null }>(
          "SELECT erase_shop($1) AS counts",
          [shop],
        );
        const counts = rows[0]?.counts;
        if (!counts) {
          await client.query("ROLLBACK");
          return null;
        }
        await deleteJobs(client, shop);
        await client.query(
          "INSERT INTO erasures (id, shop_hash, asked_at, done_at, counts) VALUES ($1, $2, $3, $4, $5)",
          [randomUUID(), createHash("sha256").update(shop).digest(), askedAt, doneAt, counts],
        );
        await client.query("INSERT INTO tombstones (store, subject) VALUES ($1, $2)", [
          ...[shop, WHOLE_SHOP],
        ]);
        await client.query("SELECT pg_notify($1, $2)", [KEY_DESTROYED, shop]);
        await client.query("COMMIT");
        return counts;
      } catch (error) {
        failure = error instanceof Error ? error : new Error("a shop could not be erased");
        throw error;
      } finally {
        // The connection is closed: its limits are no others' limits. With a failure, PostgreSQL takes the transaction back.
        client.release(failure ?? true);
      }
    },
  };
}

/** Work that waits for the shop in the job engine, whose tables are there once it has been started. */
async function deleteJobs(client: PoolClient, shop: string): Promise<void> {
  const { rows } = await client.query("SELECT to_regclass('pgboss.job') IS NOT NULL AS there");
  if (rows[0]?.there)
    await client.query("DELETE FROM pgboss.job WHERE data->>'shop' = $1 AND state <> 'active'", [
      shop,
    ]);
}
