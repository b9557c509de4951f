import type { Browser, BrowserContext } from "playwright-core";
import { afterAll, afterEach } from "vitest";
import { launchBrowser, USER_AGENT } from "../../sandbox/store/web/testing/browser.ts";
import { goShopping } from "../flows/shopping.ts";
import {
  type StartWorldOptions,
  shareWorld,
  startWorld,
  type TestWorld,
} from "../harness/index.ts";
import { type AuditorOptions, sendPageAuditor } from "./page-auditor.ts";

/** The browser of this process, for all its files: windows of one file are closed before the next begins. */
let browser: Promise<Browser> | undefined;

/** A browser in a world that this file shares with others (see {@link shareWorld}). Awaited where a test file begins. */
export const openBrowserFixture = async () => fixtureIn(await shareWorld());

/** The same for a file that judges or changes the whole shop: a world of its own, until its tests are done. */
export async function openOwnBrowserFixture(options: StartWorldOptions = {}) {
  const world = await startWorld(options);
  afterAll(() => world.stop(), 60_000);
  return fixtureIn(world);
}

async function fixtureIn(world: TestWorld) {
  browser ??= launchBrowser();
  const running = await browser;
  const contexts: BrowserContext[] = [];
  afterAll(() => Promise.all(contexts.map((context) => context.close())), 60_000);
  afterEach(async ({ task }) => {
    if (task.result?.state === "fail") await tellPages(contexts);
  });
  /** A window of its own: nobody is signed in, nothing is remembered. */
  const newContext = async () => {
    const context = await running.newContext({
      userAgent: USER_AGENT,
      locale: "en-AU",
      timezoneId: "Australia/Sydney",
    });
    // Half of that is the default, in which a busy machine may not draw a page.
    context.setDefaultTimeout(60_000);
    contexts.push(context);
    return context;
  };
  return {
    world,
    shopping: goShopping(world),
    newContext,
    /** For its options see {@link sendPageAuditor}. */
    newPageAuditor: async (options: AuditorOptions = {}) =>
      sendPageAuditor(await newContext(), options),
  };
}

/** Says what stood on each open page when a test failed: a picture is not to be had where only the output is kept. */
async function tellPages(contexts: BrowserContext[]): Promise<void> {
  for (const frame of contexts
    .flatMap((context) => context.pages())
    .flatMap((page) => page.frames())) {
    const shown = await frame
      .locator("body")
      .innerText({ timeout: 2000 })
      .catch((error: unknown) => `(not readable: ${error})`);
    console.log(
      `On ${frame.url().split("?")[0]} stood:\n${shown.replaceAll(/\n{2,}/g, "\n").slice(0, 3000)}\n`,
    );
  }
}
