import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { counters, durations } from "../../app/platform/counters.ts";

const root = new URL("../../", import.meta.url);
const read = (file: string) => readFileSync(new URL(file, root), "utf8");
const filesIn = (folder: string, ends: RegExp) =>
  readdirSync(new URL(folder, root), { recursive: true, encoding: "utf8" }).flatMap((name) =>
    ends.test(name) && !/generated|\.test\./.test(name) ? [`${folder}/${name}`] : [],
  );

/** Documents that somebody reads at night, with a terminal open. */
const guides = [
  ...filesIn("docs/runbooks", /\.md$/),
  ...["docs/operations.md", "docs/breach-runbook.md"],
].map((file) => ({ file, text: read(file) }));
/** Finds in each guide what a pattern's groups catch and `isKnown` does not know. */
const unknownIn = (pattern: RegExp, isKnown: (...words: string[]) => boolean) =>
  guides.flatMap(({ file, text }) =>
    [...text.matchAll(pattern)].flatMap(([all, ...words]) =>
      isKnown(...words.map((word) => word ?? "")) ? [] : [`${file}: ${all}`],
    ),
  );

const source = [
  ...filesIn("app", /\.tsx?$/),
  ...filesIn("prisma", /\.(sql|prisma)$/),
  ...filesIn("ops", /\.(sh|ya?ml)$/),
  "compose.yaml",
]
  .map(read)
  .join("\n");
const words = new Set(source.match(/\w+/g));

/** Codes that the source puts together: the part before and those that may follow. */
const PUT_TOGETHER = /^(?:attachment|document_store|store_version|refused)_(\w*)$/;
/** Names of PostgreSQL's own, and of PgBouncer's. */
const POSTGRESQL =
  /^pg_|^(?:max_connections|max_prepared_transactions|default_transaction_read_only|restore_command)$/;
const PGBOUNCER = /^(?:default_pool_size|max_prepared_statements)$/;
const isInSource = (word: string) =>
  words.has(word) ||
  POSTGRESQL.test(word) ||
  PGBOUNCER.test(word) ||
  words.has(PUT_TOGETHER.exec(word)?.[1] ?? "–");

test("names codes, tables and columns that are there", () => {
  const name = /`([a-z]+(?:_[a-z0-9]+)+)`/g;
  expect(unknownIn(name, isInSource)).toEqual([]);
  expect(
    unknownIn(/`([a-z_]+)\.(?!conf`)([a-z_]+)`/g, (...parts) => parts.every(isInSource)),
  ).toEqual([]);
});

test("quotes lines of the log as the app writes them", () => {
  const logged = /`([a-z][\w' ]+ [\w' ]*\w)`/gi;
  const COMMAND = /^(?:docker|npm|node|SELECT|UPDATE|DELETE|ALTER|REINDEX|VACUUM|CREATE) /;
  const TOOL = /^(?:chronyc|kubectl|rsync|chmod|openssl|pg_\w+|vacuumdb|collation version) ?/;
  // An alert puts the role in.
  const said = source.replaceAll("{{ $labels.role }}", "worker");
  const isWritten = (line: string) => COMMAND.test(line) || TOOL.test(line) || said.includes(line);
  expect(unknownIn(logged, isWritten)).toEqual([]);
  expect(unknownIn(/log's\s+(?:line\s+)?`([^`]+)`/g, (line) => source.includes(line))).toEqual([]);
});

test("asks metrics for labels and values that they have", () => {
  const gauges = [
    ...read("app/metrics.ts").matchAll(/gauge\(\s*"(\w+)",\s*"[^"]*"(?:,\s*\[([^\]]*)\])?/g),
  ].map(([, name = "", labels = ""]) => ({ name, labelNames: labels.match(/\w+/g) ?? [] }));
  const labelsOf = new Map<string, readonly string[]>(
    [...counters(), ...durations(), ...gauges].map(({ name, labelNames }) => [name, labelNames]),
  );
  const isTold = (name: string, asked: string) => {
    const labels = labelsOf.get(name);
    return asked.split(",").every((one) => {
      const [, label = "", value] = /^(\w+)(?:="([^"]*)")?$/.exec(one.trim()) ?? [];
      return (
        labels?.includes(label) && (!value || source.includes(`"${value}"`) || isInSource(value))
      );
    });
  };
  expect(unknownIn(/\b(pathway_\w+)\{([^}]*)\}/g, isTold)).toEqual([]);
});

const scripts = z.object({ scripts: z.record(z.string(), z.string()) });
/** Where the options of a command are read. */
const OPTIONS: Record<string, string> = {
  affected: "app/commands/run-affected.ts",
  audit: "app/commands/run-audit.ts",
  documents: "app/commands/run-documents.ts",
  redactions: "app/commands/run-redactions.ts",
  keys: "app/keys.ts",
  chaos: "test/chaos/arguments.ts",
};

test("gives commands the options that they take", () => {
  const known = scripts.parse(JSON.parse(read("package.json"))).scripts;
  const isTaken = (command: string, rest: string) => {
    const options = [...rest.matchAll(/(?<=\s)--([a-z][a-z-]*)/g)].map(([, name = ""]) => name);
    const file = OPTIONS[command];
    if (options.length > 0 && !file) return false;
    return options.every((name) => new RegExp(`\\b${name}"?:`).test(read(file ?? "")));
  };
  expect(
    unknownIn(
      /npm run ([a-z-]+)([^\n`|]*)/g,
      (name, rest = "") => name in known && isTaken(name, rest),
    ),
  ).toEqual([]);
  expect(
    unknownIn(/app\/(?:commands\/)?([a-z-]+)\.ts((?: [^\n`|]+)?)/g, (name, rest = "") =>
      rest.includes("--") ? isTaken(name, rest) : true,
    ),
  ).toEqual([]);
});

test("starts services and profiles that compose.yaml has", () => {
  const { services } = z
    .object({
      services: z.record(z.string(), z.object({ profiles: z.array(z.string()).optional() })),
    })
    .parse(parse(read("compose.yaml"), { merge: true }));
  const profiles = new Set(Object.values(services).flatMap((one) => one.profiles ?? []));
  expect(unknownIn(/docker compose --profile ([\w-]+)/g, (name) => profiles.has(name))).toEqual([]);
  const named =
    /docker compose(?: --profile \w+)? (?:ps|logs|restart|start|stop|exec|up -d(?: --force-recreate)?|run --rm)((?: [a-z]+\b(?![-/=.]))*)/g;
  // The command of a service follows its name.
  const isThere = (list: string) =>
    [list.split(" ").find(Boolean)].every((one) => !one || one in services);
  expect(unknownIn(named, isThere)).toEqual([]);
});

test("names alerts that fire", () => {
  const rules = read("ops/prometheus/rules.yaml");
  expect(unknownIn(/`(Pathway[A-Z]\w+)`/g, (name) => rules.includes(`alert: ${name}\n`))).toEqual(
    [],
  );
});

test("leads the merchant to words that the app shows", () => {
  // Two words and more in italics: a page, a button or a section; chapters of these documents aside.
  const chapters = new Set(
    guides.flatMap(({ text }) => [...text.matchAll(/^#+ (.+)$/gm)].map(([, head = ""]) => head)),
  );
  const FORMS_OF_OTHERS = new Set(["Notifiable Data Breach"]);
  const isShown = (said: string) =>
    FORMS_OF_OTHERS.has(said) ||
    said.split(/, | › /).every((part) => chapters.has(part) || source.includes(part));
  expect(unknownIn(/(?<![*\w])\*([A-Z][^*\n]+)\*(?![*\w])/g, isShown)).toEqual([]);
});
