import { access, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import toml from "toml";
import { z } from "zod";

const extensionFile = z.object({
  api_version: z.string().optional(),
  extensions: z.array(
    z.object({
      type: z.string(),
      name: z.string(),
      handle: z.string(),
      targeting: z.array(z.object({ target: z.string(), module: z.string() })).default([]),
      capabilities: z
        .object({ network_access: z.boolean().default(false) })
        .partial()
        .default({}),
    }),
  ),
});
const translations = z.record(z.string(), z.unknown());

/** Words of an extension, nested as in its locale file. */
export type Translations = Record<string, unknown>;

/** A target of a UI extension, ready to be hosted. */
export interface UiExtension {
  handle: string;
  /** In the shopper's language. */
  name: string;
  target: string;
  apiVersion: string;
  networkAccess: boolean;
  translations: Translations;
  /** File that Shopify's CLI has built, or null when it has not been built yet. */
  bundleFile: string | null;
}

/** A theme app extension: a folder of blocks. */
export interface ThemeExtension {
  handle: string;
  directory: string;
}

export interface Extensions {
  ui: UiExtension[];
  theme: ThemeExtension[];
}

/** Reads `*\/shopify.extension.toml`; anew at each page, as extensions are rebuilt while the store runs. */
export async function discoverExtensions(extensionsDir: string): Promise<Extensions> {
  const found: Extensions = { ui: [], theme: [] };
  const entries = await readdir(extensionsDir, { withFileTypes: true }).catch(() => []);
  for (const entry of entries.filter((candidate) => candidate.isDirectory())) {
    const directory = join(extensionsDir, entry.name);
    const text = await readFile(join(directory, "shopify.extension.toml"), "utf8").catch(
      () => null,
    );
    if (text === null) continue;
    const file = extensionFile.parse(toml.parse(text));
    const words = await readTranslations(directory);
    for (const extension of file.extensions) {
      if (extension.type === "theme") found.theme.push({ handle: extension.handle, directory });
      const bundleFile = await firstFile([
        join(directory, "dist", `${extension.handle}.js`),
        join(directory, "dist", `${entry.name}.js`),
      ]);
      for (const { target } of extension.targeting) {
        found.ui.push({
          handle: extension.handle,
          name: nameOf(extension.name, words),
          target,
          apiVersion: file.api_version ?? "unstable",
          networkAccess: extension.capabilities.network_access ?? false,
          translations: words,
          bundleFile,
        });
      }
    }
  }
  return found;
}

/** The targets that have a place on the store's pages. */
export const HOSTED_TARGETS = [
  "customer-account.order-status.block.render",
  "customer-account.page.render",
  "purchase.thank-you.block.render",
  "customer-account.profile.block.render",
  "admin.order-details.block.render",
] as const;

/** The extensions that a page asks for with one target. */
export async function extensionsOf(
  extensionsDir: string,
  target: (typeof HOSTED_TARGETS)[number],
): Promise<UiExtension[]> {
  return (await discoverExtensions(extensionsDir)).ui.filter((one) => one.target === target);
}

async function readTranslations(directory: string): Promise<Translations> {
  const text = await readFile(join(directory, "locales", "en.default.json"), "utf8").catch(
    () => "{}",
  );
  return translations.parse(JSON.parse(text));
}

function nameOf(name: string, words: Translations): string {
  if (!name.startsWith("t:")) return name;
  const word = words[name.slice(2)];
  return typeof word === "string" ? word : name;
}

async function firstFile(paths: string[]): Promise<string | null> {
  for (const path of paths) {
    if (
      await access(path).then(
        () => true,
        () => false,
      )
    )
      return path;
  }
  return null;
}
