// Fetches Shopify's published GraphQL schemas (introspection results) into .schema/, which git ignores.
//
// They come from the npm package @shopify/dev-mcp, whose tarball carries the schema of every API version
// together with the access scopes that each field requires. Installing that package would bring hundreds
// of megabytes of dependencies, so only its tarball is fetched, checked against the integrity pinned
// below, and the few files named in `wanted` are taken out of it.
//
// Plain JavaScript without packages, for any Node from 18 on.
//   node tools/shopify-schema.mjs          fetch what is missing, print progress
//   import { loadSchemaIntrospection } from "../tools/shopify-schema.mjs"

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";

const source = {
  name: "@shopify/dev-mcp",
  version: "1.16.0",
  integrity:
    "sha512-tqgRnK7sQhjew+htxtleTH23nXB5fZcsrhWgEkomsorGXvLOB2mh2upwZm8uzuTDNTZnqtLMe64yIwh6s2awtw==",
};

/** Schema name → file inside the tarball. The name is also the file's name in the schema folder. */
const wanted = {
  "admin-2026-07": "package/dist/data/admin_2026-07.json.gz",
  "admin-2026-10": "package/dist/data/admin_2026-10.json.gz",
  "customer-2026-07": "package/dist/data/customer_2026-07.json.gz",
};

/** The folder that holds the fetched schemas. */
export const schemaDirectory = join(dirname(fileURLToPath(import.meta.url)), "..", ".schema");

const schemaPath = (name) => join(schemaDirectory, `${name}.json`);
const stampPath = join(schemaDirectory, "source.json");

function isComplete() {
  return (
    existsSync(stampPath) &&
    JSON.parse(readFileSync(stampPath, "utf8")).integrity === source.integrity &&
    Object.keys(wanted).every((name) => existsSync(schemaPath(name)))
  );
}

/**
 * Makes sure that every wanted schema is in the schema folder; does nothing when they are there.
 * @param {{log?: (line: string) => void}} [options] where progress goes, by default standard error
 * @throws when npm cannot fetch the package or its integrity differs from the pinned one
 */
export function ensureSchemas({ log = (line) => console.error(line) } = {}) {
  if (isComplete()) return;
  const work = mkdtempSync(join(tmpdir(), "pathway-schema-"));
  try {
    log(`Fetching Shopify's GraphQL schemas (${source.name} ${source.version}, 14 MB) …`);
    const tarball = readFileSync(pack(work));
    const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
    if (integrity !== source.integrity) {
      throw new Error(
        `${source.name} ${source.version} has integrity ${integrity}, expected ${source.integrity}`,
      );
    }
    mkdirSync(schemaDirectory, { recursive: true });
    const files = readTarEntries(gunzipSync(tarball), new Set(Object.values(wanted)));
    for (const [name, entry] of Object.entries(wanted)) {
      const file = files.get(entry);
      if (!file) throw new Error(`${source.name} ${source.version} does not hold ${entry}`);
      writeAtomically(schemaPath(name), gunzipSync(file));
      log(`  .schema/${name}.json`);
    }
    writeAtomically(stampPath, `${JSON.stringify(source, null, 2)}\n`);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/**
 * An introspection result as `buildClientSchema` of graphql-js takes it: `{ __schema }`. Shopify's types
 * and fields carry a `requiredAccess` sentence more than the GraphQL specification knows.
 * Fetches the schemas when they are missing.
 * @param {"admin-2026-07" | "admin-2026-10" | "customer-2026-07"} name
 */
export function loadSchemaIntrospection(name) {
  if (!(name in wanted)) throw new Error(`unknown schema ${name}`);
  ensureSchemas();
  return JSON.parse(readFileSync(schemaPath(name), "utf8")).data;
}

/** Downloads the tarball with npm's own client and answers its path. */
function pack(directory) {
  const args = [
    "pack",
    `${source.name}@${source.version}`,
    "--ignore-scripts",
    "--pack-destination",
    directory,
    "--json",
  ];
  const npmCli = process.env.npm_execpath; // set by `npm run`
  const options = { cwd: directory, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] };
  const result = npmCli?.endsWith(".js")
    ? spawnSync(process.execPath, [npmCli, ...args], options)
    : spawnSync("npm", args, { ...options, shell: process.platform === "win32" });
  if (result.status !== 0) {
    throw new Error(
      `npm could not fetch ${source.name}: ${result.error?.message ?? result.stderr}`,
    );
  }
  return join(directory, `${source.name.replace("@", "").replace("/", "-")}-${source.version}.tgz`);
}

/** The wanted entries of an uncompressed tar archive (ustar: 512-byte headers, name and octal size). */
function readTarEntries(archive, names) {
  const found = new Map();
  const text = (from, length) =>
    archive.toString("utf8", from, from + length).replace(/\0.*$/s, "");
  for (let at = 0; at + 512 <= archive.length; ) {
    const name = text(at, 100);
    if (name === "") break;
    const prefix = text(at + 345, 155);
    const size = Number.parseInt(text(at + 124, 12).trim() || "0", 8);
    const fullName = prefix ? `${prefix}/${name}` : name;
    if (names.has(fullName)) found.set(fullName, archive.subarray(at + 512, at + 512 + size));
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return found;
}

/** Two processes may fetch at the same time: each writes its own file, the last rename wins. */
function writeAtomically(path, content) {
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, content);
  renameSync(temporary, path);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) ensureSchemas();
