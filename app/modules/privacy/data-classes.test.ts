import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";
import { openTestDatabase } from "../../../test/database/database.ts";

/**
 * The class of every plain column (docs/security.md, "Data and keys"). Columns that are personal or health data and stay
 * plain have their reason; all others of these classes are sealed.
 */
const classesSchema = z.record(
  z.string(),
  z.strictObject({
    public: z.string().optional(),
    commerce: z.string().optional(),
    personal: z.record(z.string(), z.string().min(10)).optional(),
    health: z.record(z.string(), z.string().min(10)).optional(),
  }),
);
const classes = classesSchema.parse(
  JSON.parse(readFileSync(new URL("../../../prisma/data-classes.json", import.meta.url), "utf8")),
);
const db = await openTestDatabase();

test("classes every plain column of the database, once, and no other", async () => {
  const { rows } = await db.pool.query<{ name: string }>(
    `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name <> '_prisma_migrations'
       AND column_name NOT LIKE '%\\_sealed'`,
  );
  const classed = Object.entries(classes).flatMap(([table, of]) =>
    [
      ...(of.public ?? "").split(" "),
      ...(of.commerce ?? "").split(" "),
      ...Object.keys(of.personal ?? {}),
      ...Object.keys(of.health ?? {}),
    ]
      .filter(Boolean)
      .map((column) => `${table}.${column}`),
  );
  expect(classed.toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
});
