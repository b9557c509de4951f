import type { TestDatabase } from "./database.ts";

/**
 * Lets a test move the clock of its database: the server's own functions, unqualified as statements have them, lead to a time that
 * is off by `by`, and so does pg-boss's. Call it before anything is connected that has to see it.
 */
export async function movableDatabaseClock(
  db: TestDatabase,
): Promise<(by: string) => Promise<void>> {
  const move = async (by: string) => {
    await db.pool.query(
      ["now", "statement_timestamp", "clock_timestamp"]
        .map(
          (name) =>
            `CREATE OR REPLACE FUNCTION moved.${name}() RETURNS timestamptz LANGUAGE sql
               ${name === "clock_timestamp" ? "VOLATILE" : "STABLE"} AS $$ SELECT pg_catalog.${name}() + interval '${by}' $$`,
        )
        .join(";"),
    );
  };
  const { rows } = await db.pool.query<{ name: string }>("SELECT current_database() AS name");
  await db.pool.query("CREATE SCHEMA moved");
  await move("0 seconds");
  await db.pool.query(
    `CREATE OR REPLACE FUNCTION pgboss.job_now() RETURNS timestamptz LANGUAGE sql STABLE AS $$ SELECT moved.now() $$;
     ALTER DATABASE ${rows[0]?.name} SET search_path = moved, pg_catalog, public`,
  );
  // Connections that exist have the former path.
  await db.whileDown(async () => {});
  return move;
}
