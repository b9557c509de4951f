import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../", import.meta.url));
const FOLDERS = "app bench docs extensions ops prisma sandbox test tools".split(" ");
const NOT_OURS = /(^|\/)(node_modules|generated|dist|screenshots)\//;
const files = [
  ...readdirSync(root, { withFileTypes: true }).flatMap((one) => (one.isFile() ? [one.name] : [])),
  ...FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map(
      (path) => `${folder}/${path}`,
    ),
  ),
].filter((path) => !NOT_OURS.test(path));

/** History names what was there then. */
const HISTORY = new Set(["CHANGELOG.md", "docs/former-test-files.md"]);
const documents = files.filter((path) => path.endsWith(".md") && !HISTORY.has(path));
const textOf = (path: string) => readFileSync(join(root, path), "utf8");

/** Names of files that are made by others, or made for one reader: they are in no folder of ours. */
const OTHERS = new Set([
  ...["shopify.server.ts", "db.server.ts", "shopify.app.listing.toml"],
  ...["openapi.json", "bundle.json", "details.json"],
]);

const FILE = /^[\w.$[\]-]+(?:\/[\w.$[\]-]+)*\.(?:ts|tsx|mjs|css|sql|prisma|json|ya?ml|toml|sh|md)$/;

test("leads each link of a document to a file that is there", () => {
  const dead = documents.flatMap((path) =>
    [...textOf(path).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].flatMap(([, to = ""]) =>
      /^[a-z]+:/.test(to) || existsSync(join(root, dirname(path), to)) ? [] : [`${path}: ${to}`],
    ),
  );
  expect(dead).toEqual([]);
});

test("names in documents no file that is not there", () => {
  const named = documents.flatMap((path) =>
    [...textOf(path).matchAll(/`([^`\n]+)`/g)].flatMap(([, name = ""]) =>
      FILE.test(name) && !OTHERS.has(name) ? [{ path, name }] : [],
    ),
  );
  const ends = new Set(
    files.flatMap((file) => {
      const parts = file.split("/");
      return parts.map((_, at) => parts.slice(at).join("/"));
    }),
  );
  expect(named.filter(({ name }) => !ends.has(name))).toEqual([]);
  expect(named.length).toBeGreaterThan(300);
});
