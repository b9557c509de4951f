import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { startPostgres } from "../embedded-postgres.ts";
import { runCommand } from "./run-command.ts";

/**
 * Makes one database from the migrations and one from the schema, and compares their columns and indexes.
 * Prisma's own `migrate diff` against a database reports nothing on the WebAssembly engine (version 7.10).
 * `schema` is the path of the schema file. Returns a line for each difference.
 */
export async function findSchemaDrift(schema = "prisma/schema.prisma"): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "pathway-drift-"));
  const postgres = await startPostgres({ dir: join(folder, "postgres"), port: 0 });
  try {
    const env = { DATABASE_URL: postgres.url, DATABASE_DIRECT_URL: postgres.url };
    await succeed(["migrate", "deploy"], env);
    const script = await succeed(
      ["migrate", "diff", "--from-empty", "--to-schema", schema, "--script"],
      env,
    );
    const migrated = await describeDatabase(postgres.url);
    const declared = await describeDatabase(await createFrom(script, postgres.url));
    return [
      ...missing(migrated.columns, declared.columns, "in the migrations, not in the schema"),
      ...missing(declared.columns, migrated.columns, "in the schema, not in the migrations"),
      // The schema cannot say every index that a migration makes: partial ones, for example.
      ...missing(declared.indexes, migrated.indexes, "in the schema, not in the migrations"),
    ];
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function succeed(args: string[], env: Record<string, string>): Promise<string> {
  const { code, output, errors } = await runCommand("prisma", args, { env });
  if (code !== 0) throw new Error(`prisma ${args.join(" ")} failed: ${output}${errors}`);
  return output;
}

const missing = (from: Set<string>, within: Set<string>, where: string): string[] =>
  [...from].filter((one) => !within.has(one)).map((one) => `${where}: ${one}`);

async function createFrom(script: string, serverUrl: string): Promise<string> {
  await query(serverUrl, "CREATE DATABASE declared");
  const url = new URL(serverUrl);
  url.pathname = "/declared";
  await query(url.href, script);
  return url.href;
}

async function describeDatabase(
  url: string,
): Promise<{ columns: Set<string>; indexes: Set<string> }> {
  // Prisma has no word for generated columns, nor for lists that may not be null.
  const columns = await query(
    url,
    `SELECT concat_ws(' ', c.table_name || '.' || c.column_name, c.data_type, c.udt_name,
                      CASE WHEN c.data_type = 'ARRAY' THEN NULL WHEN c.is_nullable = 'YES' THEN 'null'
                           ELSE 'not null' END) AS line
     FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
     WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE' AND c.is_generated = 'NEVER'
       AND c.table_name NOT LIKE '\\_prisma%'`,
  );
  // The name of an index says nothing.
  const indexes = await query(
    url,
    `SELECT regexp_replace(indexdef, 'INDEX \\S+ ON', 'INDEX ON') AS line
     FROM pg_indexes WHERE schemaname = 'public'`,
  );
  return { columns: new Set(columns), indexes: new Set(indexes) };
}

async function query(url: string, statement: string): Promise<string[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const result = await client.query<{ line: string }>(statement);
    return result.rows?.map((row) => row.line) ?? [];
  } finally {
    await client.end();
  }
}
