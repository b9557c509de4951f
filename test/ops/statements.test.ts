import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { openTestDatabase } from "../database/database.ts";

const db = await openTestDatabase();
const name = await db.pool
  .query<{ name: string }>("SELECT current_database() AS name")
  .then(({ rows }) => rows[0]?.name ?? "");

const docs = new URL("../../docs/", import.meta.url);
const files = [
  "operations.md",
  ...readdirSync(new URL("runbooks/", docs)).map((name) => `runbooks/${name}`),
];
/** A statement in a block or between backticks, up to its semicolon or its end. */
const STATEMENT =
  /^ {4,}((?:SELECT|UPDATE|DELETE|ALTER DATABASE|SET)\b[\s\S]*?);$|^((?:SELECT|UPDATE|DELETE|ALTER DATABASE|SET)\b[\s\S]*?);$|`((?:SELECT|UPDATE|DELETE|ALTER DATABASE|SET)\b[^`]*?);?`/gm;

/** Words of an extension that is not here: test/chaos/citus.test.ts says them to a server that has it. */
const ELSEWHERE = /\bcitus_/;

const statements = files
  .flatMap((file) =>
    [...readFileSync(new URL(file, docs), "utf8").matchAll(STATEMENT)].map(
      ([, indented, fenced, quoted]) => ({ file, sql: indented ?? fenced ?? quoted ?? "" }),
    ),
  )
  .filter(({ sql }) => !ELSEWHERE.test(sql));

test("finds the statements of the runbooks", () => {
  expect(statements.length).toBeGreaterThan(10);
});

test.each(statements)("$file: the database takes “$sql”", async ({ sql }) => {
  // Names that whoever types it has to fill in.
  const named = sql.replace("DATABASE pathway", `DATABASE "${name}"`);
  const filled = named.replace("= …", "= gen_random_uuid()").replace("(PID)", "(0)");
  const client = await db.pool.connect();
  try {
    await client.query("BEGIN");
    await client.query(filled);
  } finally {
    await client.query("ROLLBACK");
    client.release();
  }
});
