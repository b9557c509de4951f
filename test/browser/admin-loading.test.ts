import type { FrameLocator, Route } from "playwright-core";
import { expect, test } from "vitest";
import { orderPage } from "../harness/pages.ts";
import { openApp } from "./as-merchant.ts";
import { openBrowserFixture } from "./browser-fixture.ts";

const { world, shopping, newPageAuditor } = await openBrowserFixture();
const merchant = await newPageAuditor();

/** While `work` runs, the answer to what this page of the app asks its server for does not come. */
async function whileUnanswered(page: RegExp, work: () => Promise<void>): Promise<void> {
  const over = Promise.withResolvers<void>();
  const hold = async (route: Route) => {
    await over.promise;
    // A reader who turned back does not want the page any more.
    await route.continue().catch(() => {});
  };
  await merchant.page.route(page, hold);
  try {
    await work();
  } finally {
    over.resolve();
    await merchant.page.unrouteAll({ behavior: "wait" });
  }
}

const busy = (frame: FrameLocator) => frame.locator("#page[aria-busy=true]");
/** Follows a link of the app's part of the admin's navigation. */
const follow = (name: string) =>
  merchant.page.locator("a[href*='/apps/pathway/']", { hasText: name }).click();

test.each([
  { link: "Orders and referrals", asked: /\/app\/referrals\.data/, kind: "index" },
  { link: "Settings", asked: /\/app\/settings\.data/, kind: "settings" },
  { link: "Product mapping", asked: /\/app\/mappings\.data/, kind: "index" },
])("a slow page is outlined until it is there: $link", async ({ link, asked, kind }) => {
  const frame = await openApp(world, merchant, {
    path: "/app/simulation",
    heading: "Simulation",
  });
  await whileUnanswered(asked, async () => {
    await follow(link);
    await frame.getByText(`Loading ${link}…`).waitFor({ state: "attached" });
    await busy(frame).waitFor();
    await frame.locator(`[aria-hidden=true] [class*=Skeleton]`).first().waitFor();
    expect(await frame.getByRole("heading", { name: "Simulation" }).count()).toBe(0);
    await merchant.look(`admin-loading-${kind}`, { isWaiting: true });
  });
  await frame.getByRole("heading", { name: link, level: 1 }).waitFor();
  await expect.poll(() => busy(frame).count()).toBe(0);
  expect(await frame.getByText(`Loading ${link}…`).count()).toBe(0);
});

test("an order's page is outlined as such", async () => {
  const order = await shopping.buy(await shopping.newShopper(), [
    [shopping.product("tests").variantId, 1],
  ]);
  await shopping.requestsWhen(order, 1);
  const orders = { path: "/app/referrals", heading: "Orders and referrals" };
  const frame = await openApp(world, merchant, orders);
  await whileUnanswered(new RegExp(`${orderPage(order)}\\.data`), async () => {
    await frame.getByRole("link", { name: order.name, exact: true }).first().click();
    await frame.getByText("Loading the page…").waitFor({ state: "attached" });
    await merchant.look("admin-loading-detail", { isWaiting: true });
  });
  await frame.getByRole("heading", { name: order.name, level: 1 }).waitFor();
});

test("shows the page as it was left to a reader who turns back", async () => {
  const frame = await openApp(world, merchant, { path: "/app/simulation", heading: "Simulation" });
  const product = frame.getByLabel("Product to simulate");
  await product.selectOption({ label: "Iron Studies" });
  const chosen = await product.inputValue();
  await whileUnanswered(/\/app\/referrals\.data/, async () => {
    await follow("Orders and referrals");
    await busy(frame).waitFor();
    await follow("Simulation");
    await frame.getByRole("heading", { name: "Simulation", level: 1 }).waitFor();
    expect(await product.inputValue()).toBe(chosen);
  });
});

test("no outline is drawn before a page has been awaited for 150 ms", async () => {
  const frame = await openApp(world, merchant, { path: "/app/settings", heading: "Settings" });
  await frame.locator("body").evaluate(() => {
    const outlined: number[] = [];
    Reflect.set(window, "outlined", outlined);
    let since = 0;
    window.addEventListener(
      "shopify:navigate",
      () => {
        since = performance.now();
      },
      true,
    );
    new MutationObserver(() => {
      if (document.querySelector("#page[aria-busy=true]")) outlined.push(performance.now() - since);
    }).observe(document.body, { subtree: true, childList: true, attributes: true });
  });
  for (const link of ["Simulation", "Needs attention", "Settings", "Orders and referrals"]) {
    await follow(link);
    await frame.getByRole("heading", { name: link, level: 1 }).waitFor();
  }
  const outlined: number[] = await frame
    .locator("body")
    .evaluate(() => Reflect.get(window, "outlined"));
  for (const afterMs of outlined) expect(afterMs).toBeGreaterThanOrEqual(150);
});
