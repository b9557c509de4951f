import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findSchemaDrift } from "./schema-drift.ts";

test("names a column and a table that no migration makes", async () => {
  const folder = mkdtempSync(join(tmpdir(), "pathway-schema-"));
  const schema = join(folder, "schema.prisma");
  const real = readFileSync("prisma/schema.prisma", "utf8");
  writeFileSync(
    schema,
    `${real.replace("model Shop {", "model Shop {\n  planted String?")}\nmodel planted_table {\n  id Int @id\n}\n`,
  );
  const drift = await findSchemaDrift(schema);
  rmSync(folder, { recursive: true });
  expect(drift.toSorted()).toEqual([
    "in the schema, not in the migrations: CREATE UNIQUE INDEX ON public.planted_table USING btree (id)",
    "in the schema, not in the migrations: planted_table.id integer int4 not null",
    "in the schema, not in the migrations: shops.planted text text null",
  ]);
});
