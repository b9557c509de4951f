import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parse as parseToml } from "toml";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { API_VERSION } from "../../app/clients/shopify/api-version.ts";
import { adminApiVersion } from "../../sandbox/store/graphql/schema.ts";
import { loadSchemaIntrospection } from "../../tools/shopify-schema.mjs";
import { faultsOf, rulesOf } from "./check-operation.ts";
import { findOperations } from "./find-operations.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
/** The version that the app moves to once the packages of its extensions are out. */
const NEXT_VERSION = "2026-10";
const VERSIONS = [
  [API_VERSION, rulesOf(loadSchemaIntrospection(`admin-${API_VERSION}`))],
  [NEXT_VERSION, rulesOf(loadSchemaIntrospection(`admin-${NEXT_VERSION}`))],
] as const;
const [[, rules]] = VERSIONS;

const config = z
  .object({
    access_scopes: z.object({ scopes: z.string(), optional_scopes: z.array(z.string()) }),
    webhooks: z.object({ api_version: z.string() }),
  })
  .parse(parseToml(readFileSync(`${root}/shopify.app.toml`, "utf8")));
const { scopes, optional_scopes } = config.access_scopes;
const always = scopes.split(",").map((scope) => scope.trim());
/** Options ask for theirs when they are turned on. */
const granted = [...always, ...optional_scopes];

const operations = ["app", "extensions"]
  .flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root }))
  .filter((name) => !/node_modules|\/dist\/|\.test\.tsx?$|app\/generated/.test(name))
  .flatMap((name) => findOperations(name, readFileSync(`${root}/${name}`, "utf8")));

test("there are operations to check", () => {
  expect(operations.length).toBeGreaterThanOrEqual(2);
});

test("all that is called, built, subscribed and stood in for is of one version", () => {
  const read = (name: string) => readFileSync(`${root}/${name}`, "utf8");
  const extensions = globSync("extensions/*/shopify.extension.toml", { cwd: root }).flatMap(
    (name) => {
      const version = /^api_version = "(.+)"$/m.exec(read(name))?.[1];
      return version ? [[name, version] as const] : [];
    },
  );
  expect(extensions.length).toBeGreaterThanOrEqual(4);
  const { dependencies, devDependencies } = JSON.parse(read("package.json"));
  const uiExtensions = { ...dependencies, ...devDependencies }["@shopify/ui-extensions"];
  const [year, month] = String(uiExtensions).split(".");
  const places = {
    ...Object.fromEntries(extensions),
    "shopify.app.toml": config.webhooks.api_version,
    "sandbox/store/graphql/schema.ts": adminApiVersion,
    "package.json: @shopify/ui-extensions": `${year}-${month?.padStart(2, "0")}`,
  };
  const one = Object.fromEntries(Object.keys(places).map((place) => [place, API_VERSION]));
  expect(places).toEqual(one);
});

describe.each(VERSIONS)("in version %s", (_, rulesThere) => {
  test.each(operations)("$where fits the Admin API and the app's scopes", ({ text }) => {
    expect(text, "an operation must be written out, without substitutions").not.toBeNull();
    expect(faultsOf(text ?? "", granted, rulesThere)).toEqual([]);
  });
});

describe("the check itself finds", () => {
  test.each([
    ["an unknown field", "{ shop { colour } }", /Cannot query field "colour"/],
    ["an unknown argument", '{ order(number: "1") { id } }', /Unknown argument "number"/],
    ["a missing argument", "{ order { id } }", /argument "id" of type "ID!" is required/],
    ["a deprecated field", "{ orders(first: 1) { nodes { landingPageUrl } } }", /deprecated/],
    ["a type without its scope", "{ draftOrders(first: 1) { nodes { id } } }", /read_draft_orders/],
    [
      "a mutation without its scope",
      'mutation { orderMarkAsPaid(input: { id: "gid://shopify/Order/1" }) { order { id } } }',
      /write_orders/,
    ],
    ["a syntax error", "{ shop { name }", /Syntax Error/],
  ])("%s", (_, text, fault) => {
    expect(faultsOf(text, always, rules).join("\n")).toMatch(fault);
  });

  test("nothing in a good operation, and a scope that is taken away", () => {
    const text = "{ orders(first: 1) { nodes { id name } } }";
    expect(faultsOf(text, ["read_orders"], rules)).toEqual([]);
    expect(faultsOf(text, ["write_orders"], rules)).toEqual([]);
    expect(faultsOf(text, [], rules).join()).toMatch(/read_orders/);
  });

  test("every marked literal of a file, with its line, and none that is not marked", () => {
    const substituted = ["`#graphql $", "{a}`"].join("");
    const source = `const a = \`#graphql\n{ a }\`;\nconst b = \`{ b }\`;\nconst c = ${substituted};`;
    expect(findOperations("x.ts", source)).toEqual([
      { where: "x.ts:1", text: "#graphql\n{ a }" },
      { where: "x.ts:4", text: null },
    ]);
  });
});
