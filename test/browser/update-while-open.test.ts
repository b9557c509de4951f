/** Pathway is updated while a page is open, or comes: its scripts belong to a version that is not there. */
import type { Route } from "playwright-core";
import { expect, test } from "vitest";
import { adminAddress, openApp } from "./as-merchant.ts";
import { openBrowserFixture } from "./browser-fixture.ts";

const { world, newPageAuditor } = await openBrowserFixture();

const gone = (route: Route) =>
  route.fulfill({ status: 404, contentType: "text/plain", body: "There is no such file." });

test("a part that an open page fetches later is gone: the page says to reload it", async () => {
  const merchant = await newPageAuditor({ refusals: true });
  const mapping = { path: "/app/mappings", heading: "Product mapping" };
  const frame = await openApp(world, merchant, mapping);
  await merchant.page.route(/\/assets\/download-file-/, gone);
  await frame.getByRole("button", { name: "Export" }).click();
  await frame.getByText("Pathway may have been updated since you opened it").waitFor();
  expect(await frame.getByRole("heading", { level: 1 }).innerText()).toBe("Product mapping");
  await merchant.page.unrouteAll({ behavior: "wait" });
  await merchant.page.context().close();
});

/** The page's first script imports those of its routes, and its last one in a promise. */
const SCRIPTS = { first: /\/assets\/root-/, last: /\/assets\/entry\.client-/ };

test.each(["first", "last"] as const)(
  "a page whose %s script is asked of another version loads again until it has it",
  async (which) => {
    const { page } = await newPageAuditor();
    let asked = 0;
    await page.route(SCRIPTS[which], (route) => (++asked <= 2 ? gone(route) : route.continue()));
    await page.goto(adminAddress(world, "/apps/pathway/app/simulation"));
    await expect.poll(() => asked, { timeout: 30_000 }).toBe(3);
    const body = page.frameLocator("#app-frame").locator("body");
    const begun = () => body.evaluate(() => Reflect.get(window, "pathwayHasBegun"));
    await expect.poll(begun).toBe(true);
    await page.unrouteAll({ behavior: "wait" });
    await page.context().close();
  },
);
