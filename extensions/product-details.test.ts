import { readFileSync } from "node:fs";
import { Liquid, Tag, type TagToken, type TopLevelToken } from "liquidjs";
import { describe, expect, test } from "vitest";
import { wordsAt } from "./testing/host-of-locale.ts";

const folder = new URL("./product-details/", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, folder), "utf8");
const source = read("blocks/test_details.liquid");
const locale: unknown = JSON.parse(read("locales/en.default.json"));
const schemaWords: unknown = JSON.parse(read("locales/en.default.schema.json"));
const schema: { name: string; settings: Record<string, unknown>[] } = JSON.parse(
  /{% schema %}([\s\S]*){% endschema %}/.exec(source)?.[1] ?? "",
);
const defaults = Object.fromEntries(
  schema.settings.map((setting) => [setting.id, setting.default]),
);

/** `{% schema %}` is for Shopify's editor and renders nothing. */
class SchemaTag extends Tag {
  constructor(token: TagToken, rest: TopLevelToken[], liquid: Liquid) {
    super(token, rest, liquid);
    while (rest.length > 0) if (rest.shift()?.getText() === "{% endschema %}") return;
  }
  render() {
    return "";
  }
}

const liquid = new Liquid({ strictFilters: true });
liquid.registerTag("schema", SchemaTag);
liquid.registerFilter("t", (key: string, ...values: [string, unknown][]) => {
  const words = wordsAt(locale, key);
  if (words === null) throw new Error(`No words for ${key}`);
  const named = new Map(values);
  return words.replace(/\{\{\s*(\w+)\s*\}\}/g, (_, name: string) => String(named.get(name)));
});

const show = (
  details: unknown,
  settings: Record<string, unknown> = {},
  designMode = false,
): string =>
  liquid.parseAndRenderSync(source, {
    block: {
      id: "b1",
      settings: { ...defaults, ...settings },
      shopify_attributes: 'data-block="b1"',
    },
    product: { metafields: { $app: details ? { pathway: { value: details } } : {} } },
    request: { design_mode: designMode },
  });

const details = {
  name: "Iron & more",
  testCount: 3,
  tests: ["Ferritin", "<Transferrin>", "Iron"],
  turnaroundDays: 4,
  preparation: "Fast for 8 hours\nWater is fine",
};

describe("the product block", () => {
  test("shows what is tested, when results arrive and how to prepare", () => {
    const html = show(details);
    for (const expected of [
      "About this test",
      "What it tests (3)",
      "<li>Ferritin</li>",
      "<li>&lt;Transferrin&gt;</li>",
      "within 4 days",
      "Fast for 8 hours<br />",
      "Take the form to a collection centre.",
    ])
      expect(html).toContain(expected);
    expect(html).not.toContain("<details");
  });

  test("folds a long list, unfolded when the merchant says so", () => {
    const tests = Array.from({ length: 13 }, (_, index) => `Test ${index}`);
    expect(show({ ...details, tests })).toMatch(/<details\s*>/);
    expect(show({ ...details, tests }, { open_list: true })).toMatch(/<details open>/);
  });

  test("leaves out what the merchant switched off and what is not known", () => {
    const html = show(
      { ...details, preparation: "", turnaroundDays: 1 },
      { show_steps: false, heading: "A <b>" },
    );
    expect(html).toContain("within 1 day ");
    expect(html).toContain("A &lt;b&gt;");
    expect(html).not.toContain("How to prepare");
    expect(html).not.toContain("How it works");
  });

  test("is not there for other products, save for a hint in the theme editor", () => {
    expect(show(null).trim()).toBe("");
    expect(show(null, {}, true)).toContain("mapped to a test in Pathway");
  });

  test("loads nothing from anywhere", () => {
    expect(show(details)).not.toMatch(/src=|href=|url\(|@import|<script/);
  });

  test("every word of the editor's settings exists", () => {
    const keys = [...JSON.stringify(schema).matchAll(/"t:([^"]+)"/g)].map(
      (match) => match[1] ?? "",
    );
    expect(keys.length).toBeGreaterThan(7);
    expect(keys.filter((key) => wordsAt(schemaWords, key) === null)).toEqual([]);
  });
});
