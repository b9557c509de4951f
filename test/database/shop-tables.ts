import type { Pool } from "pg";

/** Every table that holds a shop's rows. */
export async function shopTables(client: Pick<Pool, "query">): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT quote_ident(c.table_name) AS name FROM information_schema.columns c
     JOIN information_schema.tables t USING (table_schema, table_name)
     WHERE c.table_schema = 'public' AND c.column_name = 'shop' AND t.table_type = 'BASE TABLE'
     ORDER BY 1`,
  );
  return rows.map((row) => row.name);
}
