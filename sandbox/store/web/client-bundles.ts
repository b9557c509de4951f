import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const CLIENT_DIR = fileURLToPath(new URL("./client/", import.meta.url));

/** Scripts of the pages, each built from `client/{name}/index.ts`. */
export const CLIENT_BUNDLES = [
  "admin-frame",
  "app-bridge",
  "extension-host",
  "extension-worker",
] as const;
export type ClientBundle = (typeof CLIENT_BUNDLES)[number];

export function isClientBundle(name: string): name is ClientBundle {
  return (CLIENT_BUNDLES as readonly string[]).includes(name);
}

/** Builds browser scripts with esbuild at first use and keeps them on disk under a hash of their sources. */
export class ClientBundles {
  readonly #cacheDir: string;
  readonly #built = new Map<string, Promise<string>>();

  constructor(cacheDir: string) {
    this.#cacheDir = cacheDir;
  }

  /** JavaScript of a bundle: one classic script without imports. */
  async script(name: ClientBundle): Promise<string> {
    const key = `${name}-${await hashOfSources()}`;
    const known = this.#built.get(key);
    if (known) return known;
    const build = this.#load(name, key);
    this.#built.set(key, build);
    // A failed build is tried again at the next request.
    build.catch(() => this.#built.delete(key));
    return build;
  }

  async #load(name: ClientBundle, key: string): Promise<string> {
    const file = join(this.#cacheDir, `${key}.js`);
    const cached = await readFile(file, "utf8").catch(() => null);
    if (cached !== null) return cached;
    const esbuild = await import("esbuild");
    const result = await esbuild.build({
      entryPoints: [join(CLIENT_DIR, name, "index.ts")],
      bundle: true,
      write: false,
      format: "iife",
      target: "es2022",
      charset: "utf8",
      legalComments: "none",
      logLevel: "silent",
    });
    const script = result.outputFiles[0]?.text ?? "";
    await mkdir(this.#cacheDir, { recursive: true });
    // Written aside and renamed: two stores may share the folder.
    const aside = `${file}.${process.pid}`;
    await writeFile(aside, script);
    await rename(aside, file);
    return script;
  }
}

async function hashOfSources(): Promise<string> {
  const hash = createHash("sha256");
  const names = (await readdir(CLIENT_DIR, { recursive: true })).filter((name) =>
    name.endsWith(".ts"),
  );
  for (const name of names.sort()) {
    hash.update(name).update(await readFile(join(CLIENT_DIR, name)));
  }
  return hash.digest("hex").slice(0, 16);
}
