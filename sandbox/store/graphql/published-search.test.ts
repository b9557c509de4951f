import { expect, it } from "vitest";
import { customerSearchFields } from "./queries/customers.ts";
import { orderSearchFields } from "./queries/orders.ts";
import { productSearchFields, variantSearchFields } from "./queries/products.ts";
import { loadAdminSchema } from "./schema.ts";

// Shopify publishes the fields that a list can be searched by in the description of its `query` argument, as a table.

function publishedFields(list: string): string[] {
  const field = loadAdminSchema().schema.getQueryType()?.getFields()[list];
  const description = field?.args.find(({ name }) => name === "query")?.description ?? "";
  return [...description.matchAll(/^\| (\w+) \| \w+ \|/gm)].flatMap(([, name]) => name ?? []);
}

it.each([
  ["orders", orderSearchFields],
  ["products", productSearchFields],
  ["productVariants", variantSearchFields],
  ["customers", customerSearchFields],
] as const)("%s are searched by nothing that Shopify does not publish", (list, fields) => {
  const published = publishedFields(list);
  expect(published.length).toBeGreaterThan(10);
  expect(Object.keys(fields).filter((name) => !published.includes(name))).toEqual([]);
});
