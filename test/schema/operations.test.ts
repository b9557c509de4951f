import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parse as parseToml } from "toml";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { loadSchemaIntrospection } from "../../tools/shopify-schema.mjs";
import { faultsOf, rulesOf } from "./check-operation.ts";
import { findOperations } from "./find-operations.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
/** The version that the app calls, and the one that it moves to once the packages of its extensions are out. */
const VERSIONS = [
  ["2026-07", rulesOf(loadSchemaIntrospection("admin-2026-07"))],
  ["2026-10", rulesOf(loadSchemaIntrospection("admin-2026-10"))],
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
  expect(config.webhooks.api_version).toBe("2026-07");
});

test("all that is built and subscribed names one version, which operations are held against", () => {
  const named = globSync("extensions/*/shopify.extension.toml", { cwd: root }).flatMap(
    (name) => /^api_version = "(.+)"$/m.exec(readFileSync(`${root}/${name}`, "utf8"))?.[1] ?? [],
  );
  expect(named.length).toBeGreaterThanOrEqual(4);
  expect(new Set([...named, config.webhooks.api_version])).toEqual(new Set([VERSIONS[0][0]]));
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
