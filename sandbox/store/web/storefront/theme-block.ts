import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { Liquid, Tag, type TagToken, type TopLevelToken } from "liquidjs";
import { z } from "zod";
import type { ThemeExtension } from "../extensions/discover.ts";
import type { StoreFacts, StoreProduct } from "../ports.ts";
import { productDrop, shopDrop } from "./liquid-objects.ts";

const blockSchema = z.object({
  name: z.string(),
  target: z.string(),
  enabled_on: z
    .object({ templates: z.array(z.string()) })
    .partial()
    .optional(),
  settings: z
    .array(z.object({ id: z.string().optional(), default: z.unknown().optional() }))
    .default([]),
});

export interface RenderedBlock {
  handle: string;
  markup: string;
}

/** Renders every section block of a theme app extension that belongs on product pages, with its default settings. */
export async function renderProductBlocks(
  extension: ThemeExtension,
  input: { facts: StoreFacts; product: StoreProduct },
): Promise<RenderedBlock[]> {
  const blocksDir = join(extension.directory, "blocks");
  const files = (await readdir(blocksDir).catch(() => [])).filter((name) =>
    name.endsWith(".liquid"),
  );
  const engine = await createEngine(extension);
  const rendered: RenderedBlock[] = [];
  for (const file of files.sort()) {
    const source = await readFile(join(blocksDir, file), "utf8");
    const schema = readSchema(source);
    const templates = schema.enabled_on?.templates ?? ["product"];
    if (schema.target !== "section" || !(templates.includes("product") || templates.includes("*")))
      continue;
    const handle = `${extension.handle}-${basename(file, ".liquid")}`;
    const settings = Object.fromEntries(
      schema.settings.flatMap(({ id, default: value }) => (id ? [[id, value ?? null]] : [])),
    );
    rendered.push({
      handle,
      markup: await engine.parseAndRender(source, {
        block: { id: handle, type: handle, settings, shopify_attributes: "" },
        product: productDrop(input.product),
        shop: shopDrop(input.facts),
        request: { design_mode: false, locale: { iso_code: "en" } },
        localization: { language: { iso_code: "en" }, country: { iso_code: "AU" } },
        routes: { root_url: "/", cart_url: "/cart", account_url: "/account" },
      }),
    });
  }
  return rendered;
}

function readSchema(source: string): z.infer<typeof blockSchema> {
  const text = /{%-?\s*schema\s*-?%}([\s\S]*?){%-?\s*endschema/.exec(source)?.[1];
  return blockSchema.parse(JSON.parse(text ?? "{}"));
}

/** Liquid with what Shopify adds for theme app extensions: their tags, `t` over the extension's locale, asset URLs. */
async function createEngine(extension: ThemeExtension): Promise<Liquid> {
  const locale = await readFile(
    join(extension.directory, "locales", "en.default.json"),
    "utf8",
  ).catch(() => "{}");
  const words: unknown = JSON.parse(locale);
  const engine = new Liquid({
    root: join(extension.directory, "blocks"),
    partials: join(extension.directory, "snippets"),
    extname: ".liquid",
    strictFilters: true,
  });
  engine.registerTag(
    "schema",
    rawTag("schema", () => ""),
  );
  engine.registerTag(
    "stylesheet",
    rawTag("stylesheet", (text) => `<style>${text}</style>`),
  );
  engine.registerTag(
    "javascript",
    rawTag("javascript", (text) => `<script>${text}</script>`),
  );
  engine.registerFilter("t", (key: string, ...replacements: unknown[]) =>
    translate(words, key, Object.fromEntries(replacements.filter(isPair))),
  );
  engine.registerFilter(
    "asset_url",
    (file: string) => `/cdn/extensions/${extension.handle}/assets/${file}`,
  );
  engine.registerFilter(
    "stylesheet_tag",
    (url: string) => `<link rel="stylesheet" href="${url}" media="all" />`,
  );
  engine.registerFilter("script_tag", (url: string) => `<script src="${url}"></script>`);
  engine.registerFilter("money", (cents: number) => `$${(cents / 100).toFixed(2)}`);
  return engine;
}

/** A tag whose content is no Liquid: `{% schema %}…{% endschema %}`. */
function rawTag(name: string, draw: (text: string) => string) {
  return class extends Tag {
    readonly #text: string;
    constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid) {
      super(token, remaining, liquid);
      let text = "";
      for (;;) {
        const next = remaining.shift();
        if (!next) throw new Error(`{% ${name} %} is not closed`);
        if ("name" in next && next.name === `end${name}`) break;
        text += next.getText();
      }
      this.#text = text;
    }
    override async render(): Promise<string> {
      return draw(this.#text);
    }
  };
}

function isPair(value: unknown): value is [string, unknown] {
  return Array.isArray(value) && value.length === 2 && typeof value[0] === "string";
}

function translate(words: unknown, key: string, replacements: Record<string, unknown>): string {
  const isObject = (value: unknown): value is Record<string, unknown> =>
    typeof value === "object" && value !== null;
  let found = key
    .split(".")
    .reduce((place, part) => (isObject(place) ? place[part] : undefined), words);
  if (isObject(found) && typeof replacements.count === "number") {
    found = found[new Intl.PluralRules("en").select(replacements.count)] ?? found.other;
  }
  if (typeof found !== "string") return `Translation missing: en.${key}`;
  return found.replace(/{{\s*(\w+)\s*}}/g, (_whole, name: string) =>
    String(replacements[name] ?? ""),
  );
}
