import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const REPOSITORY = fileURLToPath(new URL("../../../../", import.meta.url));

/**
 * Writes an extension into a folder and bundles it in the way of Shopify's CLI: one script that hands the module's
 * default export to `shopify.extend`. `source` is the module in JSX.
 */
export async function writeExtension(
  extensionsDir: string,
  extension: {
    handle: string;
    target: string;
    source: string;
    locale?: Record<string, unknown>;
    networkAccess?: boolean;
  },
): Promise<void> {
  const { handle, target, source, locale = {}, networkAccess = true } = extension;
  const directory = join(extensionsDir, handle);
  await mkdir(join(directory, "locales"), { recursive: true });
  await writeFile(
    join(directory, "shopify.extension.toml"),
    `api_version = "2026-07"

[[extensions]]
type = "ui_extension"
name = "t:name"
handle = "${handle}"

  [[extensions.targeting]]
  target = "${target}"
  module = "./src/index.jsx"

  [extensions.capabilities]
  network_access = ${networkAccess}
`,
  );
  await writeFile(
    join(directory, "locales/en.default.json"),
    JSON.stringify({ name: handle, ...locale }),
  );
  const module = join(directory, "module.jsx");
  await writeFile(module, source);
  await build({
    stdin: {
      contents: `import Target from ${JSON.stringify(module)}; shopify.extend(${JSON.stringify(target)}, (...args) => Target(...args));`,
      resolveDir: REPOSITORY,
      loader: "js",
    },
    bundle: true,
    format: "iife",
    jsx: "automatic",
    jsxImportSource: "preact",
    nodePaths: [join(REPOSITORY, "node_modules")],
    outfile: join(directory, "dist", `${handle}.js`),
    logLevel: "silent",
  });
}
