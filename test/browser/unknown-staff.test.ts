import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { storeCalls } from "../flows/store-calls.ts";
import { adminAddress } from "./as-merchant.ts";
import { openOwnBrowserFixture } from "./browser-fixture.ts";

// A world of its own: nobody's colleagues have been here yet.
const { world, newPageAuditor } = await openOwnBrowserFixture();

const sizeOf = (words: Locator) =>
  words.evaluate((one) => Number.parseFloat(getComputedStyle(one).fontSize));

test("somebody whom Shopify has never told about reads what was tried and how to get in, and is let in by the same page", async () => {
  const calls = storeCalls(world);
  const colleague = (await calls.staff()).at(-1)?.id;
  const token = () => calls.staffToken(world.line.store.shop, colleague);
  const auditor = await newPageAuditor({ isClosed: true });
  const { page } = auditor;
  // The admin of the sandbox is its owner's: the colleague's tokens go where the owner's would.
  await page.route(/[?&]id_token=/, async (route) => {
    const url = new URL(route.request().url());
    url.searchParams.set("id_token", await token());
    await route.continue({ url: url.href });
  });
  await page.route("**/admin-ui/api/session-token", async (route) =>
    route.fulfill({ json: { token: await token() } }),
  );

  await world.store.setFaults({ graphqlStatus: 500 });
  await page.goto(adminAddress(world, "/apps/pathway/app"));
  const frame = page.frameLocator("#app-frame");
  await frame.getByRole("heading", { name: "Shopify hasn’t told Pathway who you are" }).waitFor();
  const said = await frame.locator("body").innerText();
  expect(said).toContain("Pathway asked Shopify for your name and your store");
  expect(said).toContain("open Pathway again from Apps");
  const heading = frame.getByRole("heading", { level: 1 });
  expect(await sizeOf(heading)).toBeGreaterThan(await sizeOf(frame.locator("p").first()));
  await auditor.look("admin-unknown-staff", { isWaiting: true });
  // Beside the edge of a phone, nobody reads the first letters.
  await page.setViewportSize({ width: 375, height: 800 });
  await heading.waitFor();
  expect(await heading.evaluate((one) => one.getBoundingClientRect().left)).toBeGreaterThan(15);

  await world.store.setFaults({});
  await frame.getByRole("heading", { name: "Home", level: 1 }).waitFor();
});
