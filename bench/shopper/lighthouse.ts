import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { z } from "zod";
import { launchBrowser } from "../../sandbox/store/web/testing/browser.ts";
import { freePort } from "../../sandbox/world/ports.ts";

const FOLDER = fileURLToPath(new URL("../../tools/lighthouse/", import.meta.url));
const ENTRY = `${FOLDER}node_modules/lighthouse/core/index.js`;

const report = z.object({
  lhr: z.object({
    categories: z.object({ performance: z.object({ score: z.number() }) }),
    audits: z.object({
      "largest-contentful-paint": z.object({ numericValue: z.number() }),
      "cumulative-layout-shift": z.object({ numericValue: z.number() }),
      "total-byte-weight": z.object({ numericValue: z.number() }),
    }),
  }),
});

export interface Audit {
  /** 0 to 100. */
  score: number;
  lcpMs: number;
  cls: number;
  bytes: number;
}

/** Opens a browser in which Lighthouse visits pages as a phone on a slow network, each with an empty cache. */
export async function openLighthouse() {
  await fetchLighthouse();
  const { default: lighthouse } = await import(pathToFileURL(ENTRY).href);
  const port = await freePort();
  const browser = await launchBrowser([`--remote-debugging-port=${port}`]);
  return {
    async audit(address: string): Promise<Audit> {
      const flags = { port, onlyCategories: ["performance"], logLevel: "error" };
      const { lhr } = report.parse(await lighthouse(address, flags));
      return {
        score: Math.round(lhr.categories.performance.score * 100),
        lcpMs: Math.round(lhr.audits["largest-contentful-paint"].numericValue),
        cls: lhr.audits["cumulative-layout-shift"].numericValue,
        bytes: lhr.audits["total-byte-weight"].numericValue,
      };
    },
    [Symbol.asyncDispose]: () => browser.close(),
  };
}

/** It is many times larger than everything else that is measured with, so it comes when it is first needed. */
async function fetchLighthouse(): Promise<void> {
  if (existsSync(ENTRY)) return;
  console.log("Fetching Lighthouse from npm (once)");
  const npm = spawn("npm", ["ci", "--silent"], { cwd: FOLDER, stdio: ["ignore", "ignore", 2] });
  const [code] = await once(npm, "close");
  if (code !== 0) throw new Error(`"npm ci" failed in tools/lighthouse (${code})`);
}
