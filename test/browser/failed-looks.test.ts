import { randomUUID } from "node:crypto";
import pg from "pg";
import type { FrameLocator, Route } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { eventually } from "../harness/index.ts";
import { openApp } from "./as-merchant.ts";
import { openBrowserFixture } from "./browser-fixture.ts";

const { world, shopping, newPageAuditor } = await openBrowserFixture();

/** The server's answers to what a page asks by itself. */
const BROKEN = {
  "a line that broke": (route: Route) => route.abort("connectionreset"),
  "a proxy without a server": (route: Route) =>
    route.fulfill({ status: 502, contentType: "text/html", body: "Bad gateway" }),
};

const unread = (frame: FrameLocator) => frame.getByText("Pathway isn’t answering just now");

test.each(Object.entries(BROKEN))(
  "a simulation stays in sight through %s, says so, and is looked at again",
  async (_, fail) => {
    const { page } = await newPageAuditor();
    const auditor = { page, look: async () => {} };
    const frame = await openApp(world, auditor, { path: "/app/simulation", heading: "Simulation" });
    const product = world.line.products.find(({ mapsTo }) => mapsTo.bundleId);
    await world.console.setFaults({ createDelayMs: 3_000 });
    try {
      await frame.getByLabel("Product to simulate").selectOption({ label: product?.title ?? "" });
      await frame.getByRole("button", { name: "Start simulation" }).click();
      await frame.getByRole("button", { name: "Running…", disabled: true }).waitFor();
      await page.route(/simulation\.data/, fail);
      await unread(frame).waitFor();
      await frame.getByRole("heading", { name: "Simulation", level: 1 }).waitFor();
      await frame.getByRole("button", { name: "Running…", disabled: true }).waitFor();
    } finally {
      await world.console.setFaults({ createDelayMs: 0 });
    }
    await page.unroute(/simulation\.data/);
    await frame.getByText("Everything works, from the mapping to the results.").waitFor();
    await unread(frame).waitFor({ state: "detached" });
  },
);

test("the progress of a bulk action and the list stay in sight while looks fail", async () => {
  const order = await shopping.buy(await shopping.newShopper(), [
    [shopping.product("tests").variantId, 1],
  ]);
  await shopping.requestsWhen(order, 1);
  const { page } = await newPageAuditor();
  const auditor = { page, look: async () => {} };
  const orders = { path: "/app/referrals", heading: "Orders and referrals" };
  const frame = await openApp(world, auditor, orders);
  const fail = BROKEN["a proxy without a server"];
  await page.route(/\/app\/bulk\//, fail);
  await frame
    .getByRole("checkbox", { name: `Select order ${order.name}` })
    .filter({ visible: true })
    .check();
  await frame.getByRole("button", { name: "Re-sync" }).first().click();
  await unread(frame).waitFor();
  await frame.getByRole("heading", { name: "Orders and referrals", level: 1 }).waitFor();
  // The list is read again at the end of the action, in vain.
  await page.route(/referrals\.data/, fail);
  await Promise.all([
    page.waitForResponse(/referrals\.data/),
    page.unroute(/\/app\/bulk\//),
    frame.getByText(/^Re-sync: .* done$/).waitFor(),
  ]);
  // It is read until there is an answer: nothing else would bring it up to date.
  await Promise.all([
    page.waitForResponse((response) => /referrals\.data/.test(response.url()) && response.ok()),
    page.unroute(/referrals\.data/),
  ]);
  expect(await frame.getByRole("heading", { level: 1 }).innerText()).toBe("Orders and referrals");
  await frame.getByText(/^Re-sync: .* done$/).waitFor();
});

test("an order's page is brought up to date when somebody comes back to its window", async () => {
  const buyer = await shopping.newShopper();
  const order = await shopping.buy(buyer, [[shopping.product("tests").variantId, 1]]);
  const requests = await shopping.requestsWhen(order, 1);
  const { page } = await newPageAuditor();
  const address = `/app/orders/${order.id.split("/").at(-1)}`;
  const auditor = { page, look: async () => {} };
  const frame = await openApp(world, auditor, { path: address, heading: order.name });
  const formReady = frame.getByText("Form ready").first();
  await shopping.giveDetails(buyer, requests);
  const ids = requests.map(({ id }) => id);
  await eventually(
    async () =>
      expect(
        await world.sql.count("SELECT count(*) FROM documents WHERE request_id = ANY($1)", [ids]),
      ).toBe(1),
    { what: "the form", timeoutMs: 90_000 },
  );
  expect(await formReady.count()).toBe(0);
  await frame.locator("body").evaluate((body) => {
    body.ownerDocument.dispatchEvent(new Event("visibilitychange"));
  });
  await formReady.waitFor();
});

test("a slow computer looks again and again, also while looks fail", async () => {
  const order = await shopping.buy(await shopping.newShopper(), [
    [shopping.product("tests").variantId, 1],
  ]);
  await shopping.requestsWhen(order, 1);
  const { page } = await newPageAuditor();
  const orders = { path: "/app/referrals", heading: "Orders and referrals" };
  const frame = await openApp(world, { page, look: async () => {} }, orders);
  const browser = await page.context().newCDPSession(page);
  await browser.send("Emulation.setCPUThrottlingRate", { rate: 20 });
  let looks = 0;
  await page.route(/\/app\/bulk\//, (route) => {
    looks += 1;
    return BROKEN["a proxy without a server"](route);
  });
  await frame
    .getByRole("checkbox", { name: `Select order ${order.name}` })
    .filter({ visible: true })
    .check();
  await frame.getByRole("button", { name: "Re-sync" }).first().click();
  await expect.poll(() => looks, { timeout: 60_000 }).toBeGreaterThan(5);
  await page.unroute(/\/app\/bulk\//);
  await frame.getByText(/^Re-sync: .* done$/).waitFor();
});

test("the progress of a change of many mappings stays in sight while looks fail", async () => {
  const word = `LOOK-${randomUUID().slice(0, 8)}`;
  for (const n of [1, 2, 3])
    await world.store.createProduct({
      title: `Looked at ${n}`,
      variants: [{ sku: `${word}-${n}`, priceCents: 9_900 }],
    });
  await expect
    .poll(() =>
      world.sql.count("SELECT count(*) FROM store_variants WHERE starts_with(sku, $1)", [word]),
    )
    .toBe(3);
  const { page } = await newPageAuditor();
  const auditor = { page, look: async () => {} };
  const frame = await openApp(world, auditor, {
    path: `/app/mappings?q=${word}`,
    heading: "Product mapping",
  });
  await frame.getByLabel("Select all on this page").check();
  await page.route(/\/app\/mappings\/runs\//, BROKEN["a line that broke"]);
  // The change goes on for as long as nobody may write a mapping.
  const holder = new pg.Client({ connectionString: world.line.owner_database_url });
  await holder.connect();
  onTestFinished(() => holder.end());
  await holder.query("BEGIN; LOCK TABLE mappings IN SHARE MODE");
  await frame.getByRole("button", { name: "Not a test", exact: true }).click();
  await frame.getByRole("dialog").getByRole("button", { name: "Mark as not a test" }).click();
  await unread(frame).waitFor();
  await frame.getByRole("heading", { name: "Product mapping", level: 1 }).waitFor();
  await holder.query("ROLLBACK");
  await page.unroute(/\/app\/mappings\/runs\//);
  await frame.getByText("3 variants changed.").waitFor();
  await unread(frame).waitFor({ state: "detached" });
});
