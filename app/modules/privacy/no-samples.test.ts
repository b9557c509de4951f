import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";
import { openTestDatabase } from "../../../test/database/database.ts";
import { startIssued } from "../../../test/database/issued.ts";

/** Personal data in the clear that statements look for: PostgreSQL needs to know how often a value comes. */
const LOOKED_FOR = new Set(["customer_id", "from_id", "into_id", "owner", "subject_id", "word"]);
/** Keyed hashes of addresses, and looked for as well: in these tables alone. */
const HASHES = new Set(["alert_mails.recipient", "step_up_codes.recipient"]);
/** Who did something, as an id of Shopify's or a word such as "shopper". */
const DOERS = new Set([
  ...["actor", "asked_by", "author", "clinical_texts_accepted_by", "given_by", "staff"],
  ...["started_by"],
]);
/** Printed on every form: the doctor's, who is in public registers. */
const PUBLISHED = new Set(["provider_number"]);
const KEYS = [
  "data_keys.wrapped_key",
  "shop_keys.wrapped_key",
  "tenant_keys.inner_pad",
  "tenant_keys.outer_pad",
];

const classes = z
  .record(z.string(), z.looseObject({ personal: z.record(z.string(), z.string()).optional() }))
  .parse(
    JSON.parse(readFileSync(new URL("../../../prisma/data-classes.json", import.meta.url), "utf8")),
  );
const db = await openTestDatabase();

const sampleOf = async (table: string, column: string) => {
  const query = "SELECT FROM pg_stats WHERE tablename = $1 AND attname = $2";
  return (await db.pool.query(query, [table, column])).rows.length;
};

test("the migration takes the samples away that an earlier version left", async () => {
  await startIssued(db);
  const columns: [string, string][] = [
    ["shops", "reviewer_name"],
    ["referral_requests", "patient_sealed"],
    ["data_keys", "wrapped_key"],
  ];
  for (const [table, column] of columns)
    await db.pool.query(`ALTER TABLE ${table} ALTER COLUMN ${column} SET STATISTICS -1`);
  await db.pool.query("ANALYZE");
  for (const [table, column] of columns) expect(await sampleOf(table, column)).toBe(1);
  const path = "../../../prisma/migrations/20261223070000_no_samples/migration.sql";
  await db.pool.query(readFileSync(new URL(path, import.meta.url), "utf8"));
  for (const [table, column] of columns) expect(await sampleOf(table, column)).toBe(0);
  await db.pool.query("ANALYZE");
  for (const [table, column] of columns) expect(await sampleOf(table, column)).toBe(0);
});

test("PostgreSQL keeps no samples of what is sealed, of keys, and of names and addresses", async () => {
  await startIssued(db);
  await db.pool.query("ANALYZE");
  const { rows } = await db.pool.query<{ name: string; isSampled: boolean; isExempt: boolean }>(
    `SELECT c.relname || '.' || a.attname AS name, coalesce(a.attstattarget, -1) = 0 AS "isExempt",
            EXISTS (SELECT FROM pg_statistic s WHERE s.starelid = c.oid AND s.staattnum = a.attnum) AS "isSampled"
     FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped`,
  );
  const personal = Object.entries(classes).flatMap(([table, of]) =>
    Object.keys(of.personal ?? {})
      .filter((column) => ![LOOKED_FOR, DOERS, PUBLISHED].some((names) => names.has(column)))
      .map((column) => `${table}.${column}`)
      .filter((name) => !HASHES.has(name)),
  );
  const kept = new Set([...personal, ...KEYS]);
  const isKept = (name: string) => kept.has(name) || name.endsWith("_sealed");
  const sampled = rows.filter(({ isSampled }) => isSampled).map(({ name }) => name);
  expect(sampled.filter(isKept)).toEqual([]);
  // Nor where a table has no rows yet.
  const open = rows.filter(({ name, isExempt }) => isKept(name) && !isExempt);
  expect(open.map(({ name }) => name)).toEqual([]);
  // Columns that statements look for have samples.
  expect(sampled).toContain("referral_requests.customer_id");
  expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining([...kept]));
});
