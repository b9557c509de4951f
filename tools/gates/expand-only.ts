import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const PLAN = "prisma/rollouts.json";
const MIGRATIONS = "prisma/migrations";

/** Which migrations the released versions end with, and which later ones a process of the former version cannot bear. */
const planSchema = z.strictObject({
  /** Each released version's last migration. */
  released: z.record(z.string(), z.string()),
  /** By the version whose upgrade stops the app. */
  stops: z.record(z.string(), z.array(z.string())),
  /**
   * Rollouts hold from this migration on: processes of the commit that added it work beside those of this version, which
   * test/rollout tries. No stop comes after it.
   */
  from: z.string(),
  /** Migrations that look as if they broke something and do not, each with the reason. */
  harmless: z.record(z.string(), z.string().min(20)),
});

/**
 * Finds migrations since the last release that take away, rename or narrow what a process of that release still uses. In a
 * rollout the two versions are at work on one database (docs/operations.md, "Upgrades"). Such a change waits for a later
 * version, or its version stops the app and says so. Returns a line for each fault.
 */
export function findNarrowing(root = "."): string[] {
  const read = (path: string) => readFileSync(join(root, path), "utf8");
  const { released, stops, from, harmless } = planSchema.parse(JSON.parse(read(PLAN)));
  const last = Object.values(released).toSorted().at(-1) ?? "";
  const names = readdirSync(join(root, MIGRATIONS)).filter((name) =>
    existsSync(join(root, MIGRATIONS, name, "migration.sql")),
  );
  const narrowing = new Map<string, string[]>();
  for (const name of names.toSorted().filter((one) => one > last)) {
    const found = narrowedBy(read(`${MIGRATIONS}/${name}/migration.sql`));
    if (found.length > 0) narrowing.set(name, found);
  }
  const planned = [...Object.values(stops).flat(), ...Object.keys(harmless)];
  const faults: string[] = [];
  for (const [name, found] of narrowing)
    if (!planned.includes(name))
      for (const one of found)
        faults.push(`${name}: ${one}, which a process of the former version may still use`);
  for (const name of planned)
    if (name > last && !narrowing.has(name)) faults.push(`${PLAN}: ${name} takes nothing away`);
  if (!names.includes(from)) faults.push(`${PLAN}: there is no migration ${from}`);
  for (const name of Object.values(stops).flat())
    if (name > from)
      faults.push(
        `${PLAN}: ${name} stops the app and comes after ${from}, "from" which rollouts hold: move that to it`,
      );
  for (const [version, ended] of Object.entries(released))
    for (const name of stops[version] ?? [])
      if (name > ended) faults.push(`${PLAN}: ${name} comes after ${version}, which is released`);
  const upgrades = read("docs/operations.md");
  for (const version of Object.keys(stops))
    if (!upgrades.includes(` to ${version}** `))
      faults.push(`docs/operations.md does not say that the upgrade to ${version} stops the app`);
  for (const [, version = ""] of read("CHANGELOG.md").matchAll(/^## (\S+) \((?!unreleased)/gm))
    if (!released[version])
      faults.push(`${PLAN} does not say with which migration ${version} ended`);
  return faults;
}

/** What a migration does to tables and columns that were there before it. */
export function narrowedBy(script: string): string[] {
  const sql = script
    .replace(/--.*$/gm, "")
    .replace(/CREATE (OR REPLACE )?FUNCTION.*?AS (\$\w*\$).*?\2/gis, "");
  const all = (pattern: RegExp, text = sql) => [...text.matchAll(pattern)].map(([, name]) => name);
  const tables = new Set(all(/CREATE TABLE (?:IF NOT EXISTS )?"?(\w+)"?/gi));
  const columns = new Set(all(/ADD COLUMN (?:IF NOT EXISTS )?"?(\w+)"?/gi));
  const areNew = (names: (string | undefined)[]) =>
    names.length > 0 && names.every((name) => columns.has(name));
  const found: string[] = [];
  for (const statement of sql.split(";").map((one) => one.replace(/\s+/g, " ").trim())) {
    const [, table] =
      /^(?:ALTER TABLE (?:ONLY )?|UPDATE |DELETE FROM |CREATE UNIQUE INDEX \S+ ON )"?(\w+)"?/i.exec(
        statement,
      ) ?? [];
    if (table && tables.has(table)) continue;
    for (const [taken] of statement.matchAll(TAKES_AWAY)) found.push(taken.toUpperCase());
    for (const [added] of statement.matchAll(/ADD COLUMN [^,;]*/gi))
      if (/NOT NULL/i.test(added) && !/DEFAULT|GENERATED/i.test(added))
        found.push("ADD COLUMN … NOT NULL without a default");
    const [, rule] =
      /(?:ADD CONSTRAINT \S+|CREATE UNIQUE INDEX \S+ ON \S+) ?(.*)/i.exec(statement) ?? [];
    if (rule !== undefined && !areNew(all(/"(\w+)"/g, rule)))
      found.push("a rule for former columns");
    const [, set] = /^UPDATE .*? SET (.*?)(?: FROM | WHERE |$)/i.exec(statement) ?? [];
    if (set !== undefined && !areNew(all(/"?(\w+)"? = /g, `${set} `)))
      found.push("an UPDATE of former columns");
  }
  return [...new Set(found)];
}

const TAKES_AWAY =
  /\b(?:DROP (?:TABLE|COLUMN|CONSTRAINT|INDEX|FUNCTION|TRIGGER|TYPE|VIEW|DEFAULT|NOT NULL)|RENAME|SET NOT NULL|ALTER COLUMN \S+ (?:SET DATA )?TYPE|DELETE FROM|TRUNCATE|REVOKE)\b/gi;
