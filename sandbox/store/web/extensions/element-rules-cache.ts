import { createHash } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { ElementRules } from "./element-rules.ts";

/** The rules of each target, read from Shopify's types once per version and kept on disk. */
export class ElementRulesCache {
  readonly #cacheDir: string;
  readonly #rules = new Map<string, Promise<ElementRules>>();

  constructor(cacheDir: string) {
    this.#cacheDir = cacheDir;
  }

  rulesOf(target: string): Promise<ElementRules> {
    const known = this.#rules.get(target);
    if (known) return known;
    const reading = this.#load(target);
    this.#rules.set(target, reading);
    reading.catch(() => this.#rules.delete(target));
    return reading;
  }

  async #load(target: string): Promise<ElementRules> {
    const file = join(this.#cacheDir, `rules-${target}-${await versionHash()}.json`);
    const cached = await readFile(file, "utf8").catch(() => null);
    if (cached !== null) return JSON.parse(cached) as ElementRules;
    const rules = await readInThread(target);
    await mkdir(this.#cacheDir, { recursive: true });
    const aside = `${file}.${process.pid}`;
    await writeFile(aside, JSON.stringify(rules));
    await rename(aside, file);
    return rules;
  }
}

function readInThread(target: string): Promise<ElementRules> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL("./element-rules-thread.ts", import.meta.url), {
      workerData: target,
    });
    thread.once("message", resolve);
    thread.once("error", reject);
  });
}

/** Changes with Shopify's package and with the way in which we read it. */
async function versionHash(): Promise<string> {
  const packageFile = createRequire(import.meta.url)
    .resolve("@shopify/ui-extensions/preact")
    .replace(/@shopify\/ui-extensions\/.*$/, "@shopify/ui-extensions/package.json");
  return createHash("sha256")
    .update(await readFile(packageFile))
    .update(await readFile(new URL("./read-element-rules.ts", import.meta.url)))
    .digest("hex")
    .slice(0, 16);
}
