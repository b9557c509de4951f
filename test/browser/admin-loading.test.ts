import pg from "pg";
import type { FrameLocator } from "playwright-core";
import { expect, test } from "vitest";
import { openApp } from "./as-merchant.ts";
import { openOwnScene } from "./scene.ts";
import { seedOrders } from "./seed-orders.ts";

const { world, newSightseer } = await openOwnScene();
await seedOrders(world, 8);
const merchant = await newSightseer();

/** While `work` runs, whoever wants to read this table of the app waits. */
async function whileLocked(table: string, work: () => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: world.line.database_url });
  await client.connect();
  try {
    await client.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    await work();
  } finally {
    await client.end();
  }
}

const busy = (frame: FrameLocator) => frame.locator("#page[aria-busy=true]");
/** Follows a link of the app's part of the admin's navigation. */
const follow = (name: string) =>
  merchant.page.locator("a[href*='/apps/pathway/']", { hasText: name }).click();

test.each([
  { link: "Orders and referrals", table: "orders", kind: "index" },
  { link: "Settings", table: "connections", kind: "settings" },
  { link: "Mapping", table: "store_variants", kind: "index" },
])(
  "a slow page is outlined until it is there: $link",
  async ({ link, table, kind }) => {
    const frame = await openApp(world, merchant, { path: "/app/rehearsal", heading: "Rehearsal" });
    await whileLocked(table, async () => {
      await follow(link);
      await frame.getByText(`Loading ${link}…`).waitFor({ state: "attached" });
      await busy(frame).waitFor();
      await frame.locator(`[aria-hidden=true] [class*=Skeleton]`).first().waitFor();
      expect(await frame.getByRole("heading", { name: "Rehearsal" }).count()).toBe(0);
      await merchant.look(`admin-loading-${kind}`, { isWaiting: true });
    });
    await frame.getByRole("heading", { name: link, level: 1 }).waitFor();
    await expect.poll(() => busy(frame).count()).toBe(0);
    expect(await frame.getByText(`Loading ${link}…`).count()).toBe(0);
  },
  60_000,
);

test("an order's page is outlined as such", async () => {
  const orders = { path: "/app/referrals", heading: "Orders and referrals" };
  const frame = await openApp(world, merchant, orders);
  await whileLocked("timeline", async () => {
    await frame.getByRole("link", { name: "#9008", exact: true }).first().click();
    await frame.getByText("Loading the page…").waitFor({ state: "attached" });
    await merchant.look("admin-loading-detail", { isWaiting: true });
  });
  await frame.getByRole("heading", { name: "#9008", level: 1 }).waitFor();
}, 60_000);

test("who turns back finds the page as it was left", async () => {
  const frame = await openApp(world, merchant, { path: "/app/rehearsal", heading: "Rehearsal" });
  const product = frame.getByLabel("Product to rehearse");
  await product.selectOption({ label: "Iron Studies" });
  const chosen = await product.inputValue();
  await whileLocked("orders", async () => {
    await follow("Orders and referrals");
    await busy(frame).waitFor();
    await follow("Rehearsal");
    await frame.getByRole("heading", { name: "Rehearsal", level: 1 }).waitFor();
    expect(await product.inputValue()).toBe(chosen);
  });
}, 60_000);

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
  for (const link of ["Rehearsal", "Needs attention", "Settings", "Orders and referrals"]) {
    await follow(link);
    await frame.getByRole("heading", { name: link, level: 1 }).waitFor();
  }
  const outlined: number[] = await frame
    .locator("body")
    .evaluate(() => Reflect.get(window, "outlined"));
  for (const afterMs of outlined) expect(afterMs).toBeGreaterThanOrEqual(150);
}, 60_000);
