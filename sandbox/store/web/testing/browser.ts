import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser } from "playwright-core";

/** Shopify's library takes the name that headless Chromium gives itself for a bot's. */
export const USER_AGENT =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36";

const CACHE = fileURLToPath(new URL("../../../../.cache", import.meta.url));

/** A headless Chromium from npm; `flags` are added to its command line. */
export async function launchBrowser(flags: string[] = []): Promise<Browser> {
  const { chromium } = await import("playwright-core");
  return chromium.launch({
    executablePath: await unpackedChromium(),
    args: ["--no-sandbox", "--headless=shell", "--font-render-hinting=none", ...flags],
  });
}

/**
 * The package unpacks itself into the folder for temporary files at first use. Test files run side by side, so each
 * unpacks into a folder of its own, and the first to be ready gives it the name that all look for. It belongs to the
 * checkout: a folder of another user's could not be run, or should not be.
 */
async function unpackedChromium(): Promise<string> {
  const shared = join(CACHE, "chromium-153");
  const executable = join(shared, "chromium");
  if (existsSync(executable)) return executable;
  const before = process.env.TMPDIR;
  await mkdir(CACHE, { recursive: true });
  const aside = await mkdtemp(join(CACHE, "unpacking-"));
  process.env.TMPDIR = aside;
  try {
    const { default: packed } = await import("@sparticuz/chromium");
    await packed.executablePath();
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
  await rename(aside, shared).catch(() => rm(aside, { recursive: true }));
  return executable;
}
