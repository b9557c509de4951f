import { expect, test } from "vitest";
import { openTestDatabase } from "../test/database/database.ts";
import { TENANT_TABLES } from "../test/setup/tenant-tables.ts";

const db = await openTestDatabase();

/** Work on its way to the queue lies where the relay is, and not with its shop's rows. */
const WHERE_THE_RELAY_IS = ["outbox"];

/** Keys, constraints and triggers that a database spread by shop would have to ask every node about. */
async function reachingAcross(): Promise<string[]> {
  const { rows } = await db.pool.query<{ what: string }>(
    `WITH named AS (SELECT attrelid, attnum FROM pg_attribute
                    WHERE attname = CASE attrelid::regclass::text WHEN 'tombstones' THEN 'store' ELSE 'shop' END)
     SELECT indexrelid::regclass::text AS what FROM pg_index
     JOIN named ON attrelid = indrelid
     JOIN pg_class c ON c.oid = indrelid AND c.relnamespace = 'public'::regnamespace AND c.relname <> ALL($1)
     WHERE (indisunique OR indisexclusion) AND attnum <> ALL(indkey)
     UNION ALL
     SELECT conname FROM pg_constraint
     JOIN named ON attrelid = conrelid
     WHERE contype = 'f' AND connamespace = 'public'::regnamespace AND attnum <> ALL(conkey)
     UNION ALL
     SELECT tgname FROM pg_trigger JOIN pg_class c ON c.oid = tgrelid
     WHERE NOT tgisinternal AND c.relnamespace = 'public'::regnamespace
     ORDER BY 1`,
    [WHERE_THE_RELAY_IS],
  );
  return rows.map(({ what }) => what);
}

test("no key, no constraint and no trigger reaches across shops", async () => {
  expect(await reachingAcross()).toEqual([]);
  await db.pool.query("CREATE UNIQUE INDEX across ON connections (address_hash)");
  expect(await reachingAcross()).toEqual(["across"]);
});

test("every table of a shop's rows has a key that begins with the shop", async () => {
  const { rows } = await db.pool.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c
     JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'shop'
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND c.relname <> ALL($1)
       AND NOT EXISTS (SELECT FROM pg_index WHERE indrelid = c.oid AND indisprimary AND indkey[0] = a.attnum)
     ORDER BY 1`,
    [WHERE_THE_RELAY_IS],
  );
  expect(rows).toEqual([]);
});

test("statements are watched about every table that a shop's transaction may touch", async () => {
  const { rows } = await db.pool.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c
     JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname IN ('shop', 'store') AND a.attnotnull
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
       AND has_table_privilege('pathway_tenant', c.oid, 'SELECT, INSERT')
     GROUP BY 1 ORDER BY 1`,
  );
  expect(rows.map(({ name }) => name)).toEqual(TENANT_TABLES.toSorted());
});
