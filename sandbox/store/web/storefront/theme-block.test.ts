import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createMemoryStore } from "../testing/memory-store.ts";
import { renderProductBlocks } from "./theme-block.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "theme-"));
  await mkdir(join(directory, "blocks"));
  await mkdir(join(directory, "locales"));
  await writeFile(
    join(directory, "locales/en.default.json"),
    JSON.stringify({ days: "Within {{ number }} days" }),
  );
});
afterEach(() => rm(directory, { recursive: true }));

async function render(source: string, namespace = "app--123") {
  await writeFile(join(directory, "blocks/details.liquid"), source);
  const { facts, state } = createMemoryStore();
  const [product] = state.products;
  if (!product) throw new Error("No product");
  product.title = "Iron <Studies>";
  product.metafields = [
    { namespace, key: "details", type: "json", value: '{"days":2,"tests":["A & B"]}' },
  ];
  return renderProductBlocks({ handle: "details", directory }, { facts, product });
}

const schema = (settings: unknown[], target = "section") =>
  `{% schema %}${JSON.stringify({ name: "x", target, settings })}{% endschema %}`;

describe("renderProductBlocks", () => {
  it("renders settings' defaults, words with replacements, and the app's own metafields under $app", async () => {
    const [block] = await render(
      `{% assign d = product.metafields['$app'].details.value %}{% if block.settings.show %}{{ 'days' | t: number: d.days }}: {{ d.tests[0] | escape }} {{ product.title | escape }}{% endif %}${schema([{ type: "checkbox", id: "show", label: "x", default: true }])}`,
    );
    expect(block?.markup).toBe("Within 2 days: A &amp; B Iron &lt;Studies&gt;");
  });
  it("puts stylesheets and scripts in, and the schema away", async () => {
    const [block] = await render(
      `{% stylesheet %}a { color: red }{% endstylesheet %}{{ 'x.css' | asset_url | stylesheet_tag }}${schema([])}`,
    );
    expect(block?.markup).toBe(
      '<style>a { color: red }</style><link rel="stylesheet" href="/cdn/extensions/details/assets/x.css" media="all" />',
    );
  });
  it("places section blocks only", async () => {
    expect(await render(`x${schema([], "head")}`)).toEqual([]);
  });
  it("fails on filters that Shopify does not have", async () => {
    await expect(render(`{{ 'x' | sparkle }}${schema([])}`)).rejects.toThrow(/sparkle/);
  });
  it("reads other namespaces by their own name", async () => {
    const [block] = await render(
      `{{ product.metafields.custom.details.value.days }}${schema([])}`,
      "custom",
    );
    expect(block?.markup).toBe("2");
  });
});
