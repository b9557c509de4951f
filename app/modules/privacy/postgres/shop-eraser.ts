import { createHash, randomUUID } from "node:crypto";
import type { Pool, PoolClient } from "pg";
import { WHOLE_SHOP } from "../../../platform/encryption/subject.ts";
import { KEY_DESTROYED } from "../../../platform/encryption/subject-keys.ts";
import type { ShopEraser } from "../privacy.ts";

/**
 * Destroys a shop in one transaction: its data keys and its rows in every table that has a column `shop`, as the
 * database itself lists them. Copies of the keys become useless when the shop's epochs end, which follows by itself. The shop's own row is
 * locked first, so that a shop that is just coming back either stops this or comes to an empty house.
 */
export function createShopEraser(pool: Pool): ShopEraser {
  return {
    async erase(shop, { askedAt, doneAt }) {
      const client = await pool.connect();
      let failure: Error | undefined;
      try {
        await client.query("BEGIN");
        const { rows } = await client.query<{ installed: boolean }>(
          "SELECT uninstalled_at IS NULL AS installed FROM shops WHERE shop = $1 FOR UPDATE",
          [shop],
        );
        if (rows[0]?.installed) {
          await client.query("ROLLBACK");
          return null;
        }
        const counts: Record<string, number> = {};
        for (const table of await shopTables(client)) {
          const deleted = await client.query(`DELETE FROM ${table} WHERE shop = $1`, [shop]);
          if (deleted.rowCount) counts[table] = deleted.rowCount;
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
        // With a failure the connection is closed, and PostgreSQL takes the transaction back.
        client.release(failure);
      }
    },
  };
}

/** Every table that holds a shop's rows. */
export async function shopTables(client: Pick<PoolClient, "query">): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT quote_ident(c.table_name) AS name FROM information_schema.columns c
     JOIN information_schema.tables t USING (table_schema, table_name)
     WHERE c.table_schema = 'public' AND c.column_name = 'shop' AND t.table_type = 'BASE TABLE'
     ORDER BY 1`,
  );
  return rows.map((row) => row.name);
}

/** Work that waits for the shop in the job engine, whose tables are there once it has been started. */
async function deleteJobs(client: PoolClient, shop: string): Promise<void> {
  const { rows } = await client.query("SELECT to_regclass('pgboss.job') IS NOT NULL AS there");
  if (rows[0]?.there)
    await client.query("DELETE FROM pgboss.job WHERE data->>'shop' = $1 AND state <> 'active'", [
      shop,
    ]);
}
