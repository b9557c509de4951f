import { execFile } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { z } from "zod";
import type { Figures } from "../figure.ts";
import { table } from "../table.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const run = promisify(execFile);
const GOAL = 1.25;

const chunk = { module: z.string(), imports: z.array(z.string()).default([]) };
const manifestSchema = z.object({
  entry: z.object(chunk),
  routes: z.record(
    z.string(),
    z.object({ ...chunk, id: z.string(), parentId: z.string().optional() }),
  ),
});

/** P9: JavaScript that the first load of each embedded page needs, beside an empty page of the same stack. */
export async function measureBundles(): Promise<Figures> {
  const empty = emptyApp();
  try {
    await build(ROOT);
    await build(empty);
    const base = firstLoadBytes(empty, "routes/app._index");
    const pages = pagesOf(ROOT).map((route) => ({ route, bytes: firstLoadBytes(ROOT, route) }));
    const heaviest = pages.toSorted((a, b) => b.bytes - a.bytes)[0];
    if (!heaviest) throw new Error("the build has no pages");
    console.log(
      table([
        { page: "(empty page)", "gzip bytes": base, ratio: 1 },
        ...pages.map(({ route, bytes }) => ({
          page: route,
          "gzip bytes": bytes,
          ratio: Math.round((bytes / base) * 1000) / 1000,
        })),
      ]),
    );
    const value = Math.round((heaviest.bytes / base) * 1000) / 1000;
    return {
      P9: {
        value,
        unit: "×",
        goal: `≤ ${GOAL}`,
        met: value <= GOAL,
        rounds: [{ heaviest: heaviest.bytes, empty: base }],
      },
    };
  } finally {
    rmSync(empty, { recursive: true, force: true });
  }
}

async function build(folder: string): Promise<void> {
  const cli = join(ROOT, "node_modules/@remix-run/dev/dist/cli.js");
  await run(process.execPath, [cli, "vite:build"], { cwd: folder, maxBuffer: 16_000_000 });
}

/** An embedded page with nothing on it: what Shopify's template leaves when its example is taken out. */
function emptyApp(): string {
  const folder = mkdtempSync(join(tmpdir(), "pathway-empty-page-"));
  for (const [path, text] of Object.entries(EMPTY)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  cpSync(join(ROOT, "vite.config.ts"), join(folder, "vite.config.ts"));
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  return folder;
}

const EMPTY = {
  "package.json": `{"name":"empty","type":"module","sideEffects":false,"dependencies":{"@remix-run/node":"2","@remix-run/react":"2","isbot":"5"}}`,
  "app/root.tsx": `import { Links, Meta, Outlet, Scripts, ScrollRestoration } from "@remix-run/react";
export default function Root() {
  return (
    <html lang="en"><head><Meta /><Links /></head>
    <body><Outlet /><ScrollRestoration /><Scripts /></body></html>
  );
}`,
  "app/routes/app.tsx": `import { Outlet } from "@remix-run/react";
import polaris from "@shopify/polaris/build/esm/styles.css?url";
import en from "@shopify/polaris/locales/en.json";
import { AppProvider } from "@shopify/shopify-app-remix/react";
export const links = () => [{ rel: "stylesheet", href: polaris }];
export default function App() {
  return <AppProvider isEmbeddedApp apiKey="" i18n={en}><Outlet /></AppProvider>;
}`,
  "app/routes/app._index.tsx": `import { Card, Layout, Page, Text } from "@shopify/polaris";
export default function Index() {
  return (
    <Page title="Empty"><Layout><Layout.Section><Card><Text as="p">Nothing</Text></Card></Layout.Section></Layout></Page>
  );
}`,
};

/** Reads Remix's list of routes and their addresses under /assets. */
function manifestOf(folder: string) {
  const assets = join(folder, "build/client/assets");
  const name = readdirSync(assets).find((one) => /^manifest-.*\.js$/.test(one));
  if (!name) throw new Error("the build has no manifest");
  const text = readFileSync(join(assets, name), "utf8");
  const json = text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1);
  return manifestSchema.parse(JSON.parse(json));
}

/** The embedded pages of a build: the children of app/routes/app that have something to show. */
function pagesOf(folder: string): string[] {
  const { routes } = manifestOf(folder);
  return Object.values(routes)
    .filter((route) => route.parentId === "routes/app" && bytesOf(folder, [route.module]) > 100)
    .map((route) => route.id);
}

/**
 * Counts the bytes that a browser fetches before a page works: the entry, the routes around it and its own, with
 * imports.
 */
function firstLoadBytes(folder: string, id: string): number {
  const { entry, routes } = manifestOf(folder);
  const around = ["root", "routes/app", id].flatMap((one) => {
    const route = routes[one];
    if (!route) throw new Error(`the build has no route ${one}`);
    return [route.module, ...route.imports];
  });
  return bytesOf(folder, [entry.module, ...entry.imports, ...around]);
}

function bytesOf(folder: string, addresses: string[]): number {
  return [...new Set(addresses)].reduce(
    (sum, address) => sum + gzipSync(readFileSync(join(folder, "build/client", address))).length,
    0,
  );
}
