import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { z } from "zod";
import { eventually } from "../harness/index.ts";
import { openApp } from "./as-merchant.ts";
import { openOwnBrowserFixture } from "./browser-fixture.ts";
import { seedOrders } from "./seed-orders.ts";

const { world, newPageAuditor } = await openOwnBrowserFixture();
const merchant = await newPageAuditor();

const open = (path: string, heading: string) =>
  openApp(world, merchant, { path: `/app${path}`, heading });

test("empty: every page says what to do next", async () => {
  const home = await open("", "Home");
  await home.getByText("Get set up").waitFor();
  await home.getByText("Nothing needs you right now").waitFor();
  await expect.poll(() => home.getByText("Placed", { exact: true }).count()).toBe(4);
  const editor = home.getByRole("link", { name: "Open the editor for Test details" });
  const { api_key } = world.line.store;
  expect(await editor.getAttribute("href")).toBe(
    `shopify://admin/themes/current/editor?template=product&addAppBlockId=${api_key}/test_details&target=newAppsSection`,
  );
  await merchant.look("admin-home-empty");
  await (await open("/attention", "Needs attention"))
    .getByText("Nothing needs your attention")
    .waitFor();
  await merchant.look("admin-attention-empty");
  await (await open("/referrals", "Orders and referrals"))
    .getByText("No paid orders yet")
    .waitFor();
  await merchant.look("admin-orders-empty");
});

/** Types a further digit while the search for the first ones is answered. */
async function typesOnDuringASearch(field: Locator): Promise<void> {
  const asked = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const given = Promise.withResolvers<void>();
  const address = /referrals\.data\?.*q=900(&|$)/;
  await merchant.page.route(address, async (route) => {
    const answer = await route.fetch();
    asked.resolve();
    await held.promise;
    await route.fulfill({ response: answer });
    given.resolve();
  });
  await field.fill("900");
  await asked.promise;
  await field.pressSequentially("1");
  const answered = merchant.page.waitForResponse(/q=900(&|$)/);
  held.resolve();
  await Promise.all([answered, given.promise]);
  await expect.poll(() => field.inputValue()).toBe("9001");
  // A handler that is taken away before it has ended fails, and a search may have been asked for twice.
  await merchant.page.unrouteAll({ behavior: "wait" });
}

let seeding: Promise<void> | undefined;

test("the index: search, kinds, days, pages, saved views and export", async () => {
  // A second try of the test finds them there.
  seeding ??= seedOrders(world, 60);
  await seeding;
  await merchant.page.setViewportSize({ width: 1280, height: 900 });
  const frame = await open("/referrals", "Orders and referrals");
  const row = (name: string) => frame.getByRole("link", { name, exact: true });
  await row("#9060").first().waitFor();
  await merchant.look("admin-index", { isZoomed: true });
  // On a phone every view is in sight: nothing has to be scrolled sideways.
  await merchant.page.setViewportSize({ width: 375, height: 900 });
  const cut = frame
    .locator(".pathway-tabs")
    .evaluateAll((all) =>
      all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent),
    );
  expect(await cut).toEqual([]);
  await merchant.page.setViewportSize({ width: 1280, height: 900 });

  await frame.getByRole("button", { name: "Next" }).click();
  await row("#9030").first().waitFor();
  await frame.getByRole("button", { name: "Previous" }).click();
  await row("#9060").first().waitFor();

  await frame.getByLabel("Search orders").fill("9001");
  await row("#9001").first().waitFor();
  await expect.poll(() => row("#9060").count()).toBe(0);
  await frame.getByLabel("Search orders").fill("SEED-9002");
  await row("#9002").first().waitFor();
  await typesOnDuringASearch(frame.getByLabel("Search orders"));
  await row("#9001").first().waitFor();
  await expect.poll(() => row("#9002").count()).toBe(0);
  await frame.getByLabel("Search orders").fill("nothing like it");
  await frame.getByText("No order is found by").waitFor();
  await merchant.look("admin-orders-not-found");
  await frame.getByLabel("Search orders").fill("mary@example.com");
  await frame.getByText("No order is found by “mary@example.com”").waitFor();
  // A paid order whose message was lost is one click away.
  const imports = frame.getByRole("link", { name: "import it" });
  expect(await imports.getAttribute("href")).toBe("/app/settings/orders#import-orders");
  await frame.getByRole("link", { name: "Show all orders" }).click();
  await row("#9060").first().waitFor();

  await frame.getByLabel("Kind").selectOption("Test payments");
  await row("#9059").first().waitFor();
  await expect.poll(() => row("#9060").count()).toBe(0);
  await frame.getByRole("button", { name: "Save view" }).click();
  await frame.getByLabel("Name of the view").fill("Tried out");
  await frame.getByRole("button", { name: "Save", exact: true }).click();
  await frame.getByRole("link", { name: "Tried out" }).waitFor();
  await merchant.look("admin-orders-view");
  await frame.getByRole("button", { name: "Delete view" }).click();
  await row("#9060").first().waitFor();
  await expect.poll(() => frame.getByRole("link", { name: "Tried out" }).count()).toBe(0);

  const saving = merchant.page.waitForEvent("download");
  await frame.getByRole("button", { name: "Export CSV" }).click();
  expect((await saving).suggestedFilename()).toBe("pathway-orders.csv");
});

test("bulk actions tell what became of each order", async () => {
  const frame = await open("/referrals?status=attention", "Orders and referrals");
  await frame.getByRole("link", { name: "#9058", exact: true }).first().waitFor();
  await frame.getByRole("checkbox", { name: "Select all orders" }).first().check();
  await frame.getByRole("button", { name: "Re-sync" }).first().click();
  await frame.getByText(/^Re-sync: .* done$/).waitFor();
  await merchant.look("admin-orders-bulk");
});

test("acts on one list's ticks in that list alone; a zoomed window ticks and acts as well", async () => {
  await merchant.page.setViewportSize({ width: 1280, height: 900 });
  const frame = await open("/referrals", "Orders and referrals");
  const row = (name: string) => frame.getByRole("link", { name }).filter({ visible: true });
  await row("#9060").waitFor();
  await frame.getByRole("checkbox", { name: "Select all orders" }).first().check();
  await frame.getByText("25 selected").first().waitFor();
  await frame.getByRole("link", { name: "In progress" }).click();
  await row("#9059").waitFor();
  await expect.poll(() => row("#9060").count()).toBe(0);
  expect(
    await frame
      .getByText(/^\d+ selected$/)
      .filter({ visible: true })
      .count(),
  ).toBe(0);

  await merchant.page.setViewportSize({ width: 640, height: 900 });
  await frame
    .getByRole("checkbox", { name: "Select order #9059" })
    .filter({ visible: true })
    .check();
  const bar = frame.locator(".pathway-narrow");
  await bar.getByText("1 selected").waitFor();
  await merchant.look("admin-orders-picked", { isZoomed: true });
  await merchant.page.setViewportSize({ width: 640, height: 900 });
  await bar.getByRole("button", { name: "Re-sync" }).click();
  await frame.getByText(/^Re-sync: .* done$/).waitFor();
  const orders = await world.sql.count(
    `SELECT count(*) FROM batch_items WHERE batch_id =
       (SELECT id FROM batches WHERE kind = 'order_action' ORDER BY created_at DESC LIMIT 1)`,
  );
  expect(orders).toBe(1);
});

test("needs attention: one reason and one action each; handled leaves; retry from the keyboard", async () => {
  const told = (kind: string) =>
    world.sql.count("SELECT count(*) FROM timeline WHERE kind = $1 AND actor LIKE 'staff:%'", [
      kind,
    ]);
  const toldBefore = {
    handled: await told("attention_handled"),
    reopened: await told("attention_reopened"),
    retry: await told("retry_asked"),
  };
  const frame = await open("/attention", "Needs attention");
  const first = frame.getByRole("button", { name: /^Mark as handled: order/ }).first();
  await first.waitFor();
  await merchant.look("admin-attention", { isZoomed: true });
  const name = (await first.getAttribute("aria-label")) ?? "";
  const handled = frame.getByRole("button", { name, exact: true });
  // An order can need a person for itself and for one of its tests.
  const before = await handled.count();
  // Another order may come before it in the list meanwhile.
  await handled.first().click();
  await expect.poll(() => handled.count()).toBe(before - 1);
  await frame.getByText(/is marked as handled$/).waitFor();
  await merchant.look("admin-attention-handled");
  await frame.getByRole("button", { name: /^Undo: mark order/ }).focus();
  await merchant.page.keyboard.press("Enter");
  await expect.poll(() => handled.count()).toBe(before);
  expect(await told("attention_handled")).toBe(toldBefore.handled + 1);
  expect(await told("attention_reopened")).toBe(toldBefore.reopened + 1);
  await frame.getByText(/is marked as handled$/).waitFor({ state: "detached" });
  const retry = frame.getByRole("button", { name: /^Retry order/ }).first();
  await retry.focus();
  await merchant.page.keyboard.press("Enter");
  await frame
    .getByRole("dialog")
    .getByRole("button", { name: /^Retry/ })
    .focus();
  await merchant.page.keyboard.press("Enter");
  await eventually(async () => expect(await told("retry_asked")).toBe(toldBefore.retry + 1));
});

test("needs attention: many are marked as handled and reopened, and one on its order's page", async () => {
  const frame = await open("/attention", "Needs attention");
  const reopened = () =>
    world.sql.count("SELECT count(*) FROM timeline WHERE kind = 'attention_reopened'");
  const before = await reopened();
  const mark = frame.getByRole("button", { name: /^Mark as handled: order/ });
  const anyEntry = frame
    .locator("li")
    .filter({ has: frame.getByRole("checkbox") })
    .filter({ has: mark })
    .first();
  const label = (await anyEntry.locator("label").innerText()).trim();
  const [, number] = /^Select order (\S+?):/.exec(label) ?? [];
  // Another order may come before it in the list meanwhile.
  const box = frame.getByRole("checkbox", { name: label, exact: true });
  const entry = frame.locator("li").filter({ has: box }).filter({ has: mark });
  await box.focus();
  await merchant.page.keyboard.press("Space");
  await frame.getByRole("button", { name: "Mark as handled", exact: true }).click();
  await frame.getByText("Mark as handled: 1 of 1 order done").waitFor();
  await merchant.look("admin-attention-bulk-handled");
  await frame.getByRole("button", { name: "Undo", exact: true }).focus();
  await merchant.page.keyboard.press("Enter");
  await frame.getByText("Reopen: 1 of 1 order done").waitFor();
  expect(await reopened()).toBe(before + 1);

  await box.waitFor();
  await entry.getByRole("button", { name: /^Mark as handled/ }).click();
  await frame.getByText(`Order ${number} is marked as handled`).waitFor();
  const [order] = await world.sql.rows(
    z.object({ id: z.string() }),
    "SELECT order_id AS id FROM orders WHERE name = $1",
    [number],
  );
  const page = await open(`/orders/${order?.id.split("/").at(-1)}`, number ?? "");
  const reopen = page.getByRole("button", { name: /^Reopen/ }).first();
  await reopen.waitFor();
  await merchant.look("admin-order-handled");
  await reopen.focus();
  await merchant.page.keyboard.press("Enter");
  await reopen.waitFor({ state: "detached" });
  expect(await reopened()).toBe(before + 2);
});

test("needs attention: an address narrows the list to one kind of reason, and tells how many there are", async () => {
  const frame = await open("/attention?reason=held", "Needs attention");
  const reasons = frame.getByRole("navigation", { name: "Reasons" });
  await reasons.getByRole("link", { name: /^Held for review \d+$/, exact: true }).waitFor();
  await merchant.look("admin-attention-reason");
  const retry = frame.getByRole("button", { name: /^Retry order/ });
  expect(await retry.count()).toBe(0);
  await reasons.getByRole("link", { name: "All", exact: true }).click();
  await retry.first().waitFor();
  // The tabs of the index count too, and leave what they name as it is.
  const index = await open("/referrals", "Orders and referrals");
  await index.getByRole("link", { name: /^In progress \d+$/ }).waitFor();
});

test("home with orders: tiles, chart, what is overdue", async () => {
  await world.sql.rows(z.unknown(), "UPDATE shops SET setup_dismissed_at = NULL");
  const frame = await open("", "Home");
  await frame.getByText("Last 14 days").waitFor();
  await frame.locator("svg.pathway-chart").waitFor();
  await frame.getByText(/without results after the longest time in the catalogue/).waitFor();
  await merchant.look("admin-home-full", { isZoomed: true });
  await frame.getByRole("button", { name: "Dismiss the setup guide" }).click();
  await expect.poll(() => frame.getByText("Get set up").count()).toBe(0);
  await expect.poll(() => frame.getByText("Blocks in your store").count()).toBe(0);
});

test("an order that Pathway doesn’t have is one click away from its import", async () => {
  const refused = await newPageAuditor({ refusals: true });
  const path = "/app/orders/404404404404";
  const heading = "Pathway doesn’t have this order";
  const frame = await openApp(world, refused, { path, heading });
  await refused.look("admin-order-not-here");
  await frame.getByRole("link", { name: "Import the order" }).click();
  await frame.getByLabel("Import one order").waitFor();
  await refused.look("admin-order-import");
});
