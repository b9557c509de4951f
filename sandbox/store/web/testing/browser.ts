import { mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";

/** Shopify's library takes the name that headless Chromium gives itself for a bot's. */
export const USER_AGENT =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36";

/** A headless Chromium from npm. It unpacks itself into the folder for temporary files at first use. */
export async function launchBrowser(): Promise<Browser> {
  process.env.TMPDIR ??= join(tmpdir(), "sandbox-browser");
  mkdirSync(process.env.TMPDIR, { recursive: true });
  const { default: chromium } = await import("@sparticuz/chromium");
  const { chromium: playwright } = await import("playwright-core");
  return playwright.launch({
    executablePath: await chromium.executablePath(),
    args: ["--no-sandbox", "--headless=shell", "--font-render-hinting=none"],
  });
}
