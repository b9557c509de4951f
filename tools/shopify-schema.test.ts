import { existsSync } from "node:fs";
import { join } from "node:path";
import { buildClientSchema } from "graphql";
import { describe, expect, it } from "vitest";
import { ensureSchemas, loadSchemaIntrospection, schemaDirectory } from "./shopify-schema.mjs";

describe("Shopify's schemas", () => {
  it.each([
    ["admin-2026-07", "Order"],
    ["customer-2026-07", "Customer"],
  ] as const)("%s is there and knows %s", (name, type) => {
    const schema = buildClientSchema(loadSchemaIntrospection(name), { assumeValid: true });
    expect(schema.getType(type)).toBeDefined();
    expect(existsSync(join(schemaDirectory, `${name}.json`))).toBe(true);
  });

  it("are fetched once", () => {
    const lines: string[] = [];
    ensureSchemas({ log: (line) => lines.push(line) });
    expect(lines).toEqual([]);
  });
});
