import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { findNarrowing, narrowedBy } from "./expand-only.ts";

test.each([
  ['ALTER TABLE "orders" DROP COLUMN "name"', "DROP COLUMN"],
  ['DROP TABLE "orders"', "DROP TABLE"],
  ['ALTER TABLE "orders" RENAME COLUMN "name" TO "label"', "RENAME"],
  ['ALTER TABLE "orders" RENAME TO "sales"', "RENAME"],
  ['ALTER TABLE "orders" ALTER COLUMN "name" SET NOT NULL', "SET NOT NULL"],
  ['ALTER TABLE "orders" ALTER COLUMN "name" DROP NOT NULL', "DROP NOT NULL"],
  ['ALTER TABLE "orders" ALTER COLUMN "name" TYPE INTEGER', 'ALTER COLUMN "NAME" TYPE'],
  ['ALTER TABLE "orders" ADD COLUMN "a" TEXT NOT NULL', "ADD COLUMN … NOT NULL without a default"],
  ['ALTER TABLE "orders" ADD CONSTRAINT "c" CHECK ("name" <> \'\')', "a rule for former columns"],
  ['CREATE UNIQUE INDEX "i" ON "orders" ("name")', "a rule for former columns"],
  ['UPDATE "orders" SET "name" = \'x\' WHERE true', "an UPDATE of former columns"],
  ['DO $$ BEGIN ALTER TABLE "orders" DROP COLUMN "name"; END $$', "DROP COLUMN"],
])("finds what a migration takes away: %s", (sql, found) => {
  expect(narrowedBy(`${sql};`)).toEqual([found]);
});

test.each([
  'CREATE TABLE "things" ("id" INT NOT NULL); CREATE UNIQUE INDEX "i" ON "things" ("id")',
  'CREATE TABLE "things" ("id" INT NOT NULL); ALTER TABLE "things" ADD CONSTRAINT "c" CHECK ("id" > 0)',
  'ALTER TABLE "orders" ADD COLUMN "a" TEXT, ADD COLUMN "b" INT NOT NULL DEFAULT 0',
  'ALTER TABLE "orders" ADD COLUMN "a" TEXT, ADD CONSTRAINT "c" CHECK ("a" <> \'\')',
  'ALTER TABLE "orders" ADD COLUMN "a" TEXT; UPDATE "orders" SET "a" = "name" WHERE "name" <> \'\'',
  'CREATE INDEX "i" ON "orders" ("name"); -- DROP TABLE "orders"',
  "CREATE FUNCTION f() RETURNS void LANGUAGE sql AS $$ DELETE FROM orders $$",
])("lets a migration add: %s", (sql) => {
  expect(narrowedBy(`${sql};`)).toEqual([]);
});

let checkout = "";
afterEach(() => rmSync(checkout, { recursive: true, force: true }));

const NARROWING = 'ALTER TABLE "orders" DROP COLUMN "name";';
const [FORMER, LATER] = ["20260101000000_former", "20260201000000_later"];

/** The faults of a checkout with one migration of the released version 1.0.0 and one since. */
function faultsOf(plan: object, sql = NARROWING, changelog = "## 1.1.0 (unreleased)\n"): string[] {
  checkout = mkdtempSync(join(tmpdir(), "pathway-rollouts-"));
  const files = {
    [`prisma/migrations/${FORMER}/migration.sql`]: NARROWING,
    [`prisma/migrations/${LATER}/migration.sql`]: sql,
    "prisma/rollouts.json": JSON.stringify({
      ...{ released: { "1.0.0": FORMER }, stops: {}, from: LATER, harmless: {} },
      ...plan,
    }),
    "docs/operations.md": "**From 1.0.0 to 1.1.0** the app stops.",
    "CHANGELOG.md": `${changelog}\n## 1.0.0 (1 Jan 2026)\n`,
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(checkout, path)), { recursive: true });
    writeFileSync(join(checkout, path), text);
  }
  return findNarrowing(checkout);
}

test("refuses a narrowing migration since the last release, unless its version stops the app", () => {
  expect(faultsOf({})).toEqual([
    `${LATER}: DROP COLUMN, which a process of the former version may still use`,
  ]);
  expect(faultsOf({ stops: { "1.1.0": [LATER] } })).toEqual([]);
  expect(faultsOf({ harmless: { [LATER]: "No version has ever read this column." } })).toEqual([]);
});

test("refuses a plan that does not fit", () => {
  expect(faultsOf({ stops: { "1.1.0": [LATER] } }, "SELECT 1;")).toEqual([
    `prisma/rollouts.json: ${LATER} takes nothing away`,
  ]);
  expect(faultsOf({ stops: { "1.0.0": [LATER] } })).toEqual([
    `prisma/rollouts.json: ${LATER} comes after 1.0.0, which is released`,
    "docs/operations.md does not say that the upgrade to 1.0.0 stops the app",
  ]);
  expect(faultsOf({}, "SELECT 1;", "## 1.1.0 (1 Feb 2026)")).toEqual([
    "prisma/rollouts.json does not say with which migration 1.1.0 ended",
  ]);
});

test("has each stop move the migration from which on rollouts hold", () => {
  const stops = { "1.1.0": [LATER] };
  expect(faultsOf({ stops, from: FORMER })).toEqual([
    `prisma/rollouts.json: ${LATER} stops the app and comes after ${FORMER}, "from" which rollouts hold: move that to it`,
  ]);
  expect(faultsOf({ stops, from: "20260301000000_nowhere" })).toEqual([
    "prisma/rollouts.json: there is no migration 20260301000000_nowhere",
  ]);
});
