import { afterAll } from "vitest";
import { launchBrowser, USER_AGENT } from "../../sandbox/store/web/testing/browser.ts";
import { goShopping } from "../flows/shopping.ts";
import { type StartWorldOptions, startWorld } from "../harness/index.ts";
import { sendSightseer } from "./sightseer.ts";

/** A world with a browser in it, until the file's tests are done. Awaited where a test file begins. */
export async function openScene(options: StartWorldOptions = {}) {
  const world = await startWorld(options);
  const browser = await launchBrowser().catch(async (error: unknown) => {
    await world.stop();
    throw error;
  });
  afterAll(async () => {
    await browser.close();
    await world.stop();
  }, 60_000);
  /** A window of its own: nobody is signed in, nothing is remembered. */
  const newContext = () =>
    browser.newContext({
      userAgent: USER_AGENT,
      locale: "en-AU",
      timezoneId: "Australia/Sydney",
    });
  return {
    world,
    shopping: goShopping(world),
    newContext,
    /** `refusals`: see {@link sendSightseer}. */
    newSightseer: async ({ refusals = false } = {}) =>
      sendSightseer(await newContext(), { refusals }),
  };
}
