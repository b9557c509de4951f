import { afterAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { savePolicies } from "../harness/pages.ts";
import { openApp } from "./as-merchant.ts";
import { openBrowserFixture } from "./browser-fixture.ts";

const { world, newPageAuditor } = await openBrowserFixture();
const merchant = await newPageAuditor();
/** The settings that every world begins with: for a second try, and for the file after this one. */
async function reset() {
  await savePolicies(world, { finderName: "", finderUrl: "" });
  await world.pages.submit("/app/settings", { intent: "save-notice" });
  await world.sql.rows(z.unknown(), "DELETE FROM alert_recipients");
}
beforeEach(reset);
afterAll(reset);

const open = (page: string, heading: string, who = merchant) =>
  openApp(world, who, { path: `/app/settings/${page}`, heading });
const openOrders = (who = merchant) => open("orders", "Orders", who);

test("the settings' home says how each page stands; a link to a part of it goes on to that page", async () => {
  const home = await openApp(world, merchant, { path: "/app/settings", heading: "Settings" });
  await home.getByText("Staging is connected.", { exact: false }).waitFor();
  await merchant.look("admin-settings");
  await home.getByRole("link", { name: /^Store/ }).click();
  await home.getByRole("heading", { name: "Store", level: 1 }).waitFor();
  // The link that patients get beside their form is checked before it is saved.
  const save = () => merchant.page.getByRole("button", { name: "Save", exact: true }).click();
  await home.getByLabel("Name of the finder").fill("Example Pathology");
  await home.getByText("“Find a collection centre: Example Pathology”").waitFor();
  await home.getByLabel("Web address of the finder").fill("http://example.com");
  await save();
  await home.getByRole("button", { name: /^Enter a web address such as https:/ }).waitFor();
  await merchant.look("admin-settings-store");
  await home.getByLabel("Web address of the finder").fill("https://example.com/centres");
  await save();
  const row = "SELECT count(*) FROM shops WHERE finder_url = 'https://example.com/centres'";
  await expect.poll(() => world.sql.count(row)).toBe(1);
  const again = await openApp(world, merchant, { path: "/app/settings", heading: "Settings" });
  await again.locator("body").evaluate(() => {
    window.location.hash = "privacy";
  });
  await again.getByRole("heading", { name: "Privacy", level: 1 }).waitFor();
});

test("the self-test goes out and comes back, and counts as no event of the service", async () => {
  // The world is shared: events that files before have caused may still come in, and each of them counts.
  const uncounted = () =>
    world.sql.count(
      `SELECT (SELECT count(*) FROM inbox WHERE source = 'service' AND state IN ('done', 'unreadable')
                 AND led_to IS DISTINCT FROM 'self_test')
            - (SELECT sum(events_received) FROM connections)`,
    );
  const before = await uncounted();
  const frame = await open("connection", "Connection");
  await frame.getByRole("button", { name: "Test the address of staging" }).click();
  await frame.getByText("The event reached Pathway").waitFor();
  await merchant.look("admin-settings-self-test", { isZoomed: true });
  // The log of deliveries has it, and says that nothing follows from it.
  const delivery = frame.getByRole("listitem").filter({ hasText: "Test of the address" }).first();
  await delivery.getByText("Accepted", { exact: true }).waitFor();
  await delivery.scrollIntoViewIfNeeded();
  await merchant.look("admin-settings-deliveries");
  await expect.poll(uncounted).toBe(before);
});

test("a former signing secret can be ended where a new one is typed", async () => {
  const frame = await open("connection", "Connection");
  const end = frame.getByLabel("End former secrets now");
  expect(await end.count()).toBe(0);
  await frame.getByLabel("Signing secret").first().fill("whsec_another");
  await end.check();
  await merchant.look("admin-settings-end-former");
  await frame.getByLabel("Signing secret").first().fill("");
  await end.waitFor({ state: "detached" });
});

test("orders' settings are saved together; a fault stands at the top, focused, and leads to its field", async () => {
  const frame = await openOrders();
  await frame.getByLabel("Hold every order for review").check();
  const age = frame.getByLabel("Minimum age of the patient");
  await age.fill("200");
  await merchant.page.getByRole("button", { name: "Save", exact: true }).click();
  const banner = frame.getByRole("alert").filter({ hasText: "Nothing was saved" });
  await banner.waitFor();
  await expect.poll(() => banner.evaluate((node) => node === document.activeElement)).toBe(true);
  await merchant.look("admin-settings-errors");
  await banner.getByRole("button", { name: "The highest age is 120." }).click();
  await expect.poll(() => age.evaluate((node) => node === document.activeElement)).toBe(true);
  await age.fill("16");
  await merchant.page.getByRole("button", { name: "Save", exact: true }).click();
  await expect
    .poll(() =>
      world.sql.count("SELECT count(*) FROM shops WHERE hold_orders AND minimum_age = 16"),
    )
    .toBe(1);
});

test("a second tab undoes nothing that the first one saved, and says when both changed the same", async () => {
  await savePolicies(world, { holdOrders: "true" });
  const other = await newPageAuditor();
  const here = await openOrders();
  const there = await openOrders(other);
  const save = (who: typeof merchant) =>
    who.page.getByRole("button", { name: "Save", exact: true }).click();
  const saved = (rows: string) =>
    expect.poll(() => world.sql.count(`SELECT count(*) FROM shops WHERE ${rows}`)).toBe(1);
  await here.getByLabel("Minimum age of the patient").fill("17");
  await save(merchant);
  await saved("minimum_age = 17");
  await there.getByLabel("Hold every order for review").uncheck();
  await save(other);
  await saved("minimum_age = 17 AND NOT hold_orders");

  await here.getByLabel("Minimum age of the patient").fill("19");
  await save(merchant);
  await saved("minimum_age = 19");
  await there.getByLabel("Minimum age of the patient").fill("21");
  await save(other);
  await there
    .getByText("changed this meanwhile: minimum age (now 19, yours 21).", { exact: false })
    .waitFor();
  await other.look("admin-settings-changed-meanwhile");
  expect(await world.sql.count("SELECT count(*) FROM shops WHERE minimum_age = 19")).toBe(1);
  expect(await there.getByRole("button", { name: "Show what is saved now" }).count()).toBe(0);
  await expect.poll(() => there.getByLabel("Minimum age of the patient").inputValue()).toBe("19");
});

test("what is typed while a save is under way stays, is unsaved, and is saved next", async () => {
  const frame = await openOrders();
  const save = () => merchant.page.getByRole("button", { name: "Save", exact: true }).click();
  const saved = (rows: string) =>
    expect.poll(() => world.sql.count(`SELECT count(*) FROM shops WHERE ${rows}`)).toBe(1);
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  await merchant.page.route(/\/app\/settings\/orders/, async (route) => {
    const answer = await route.fetch();
    if (route.request().method() === "POST") await held;
    await route.fulfill({ response: answer });
  });
  const age = frame.getByLabel("Minimum age of the patient");
  await age.fill("12");
  await save();
  await saved("minimum_age = 12");
  await age.fill("13");
  letGo();
  const bar = merchant.page.getByRole("button", { name: "Save", exact: true });
  await expect.poll(() => bar.isEnabled()).toBe(true);
  expect(await age.inputValue()).toBe("13");
  // A handler that still answers when it is taken away fails.
  await merchant.page.unrouteAll({ behavior: "wait" });
  await save();
  await saved("minimum_age = 13");
  await expect.poll(() => bar.isVisible()).toBe(false);
  expect(await frame.getByText("changed this meanwhile").count()).toBe(0);
});

test.each(["aborted", "failed"])(
  "a save whose line is %s keeps the page and what was typed",
  async (how) => {
    // Of its own: the browser complains of such a line.
    const other = await newPageAuditor();
    const { page } = other;
    const frame = await openOrders(other);
    const age = frame.getByLabel("Minimum age of the patient");
    await page.route(/\/app\/settings\/orders/, async (route) => {
      if (route.request().method() !== "POST") return route.continue();
      if (how === "aborted") return route.abort("connectionreset");
      return route.fulfill({ status: 502, contentType: "text/html", body: "Bad gateway" });
    });
    const save = () => page.getByRole("button", { name: "Save", exact: true }).click();
    const typed = how === "aborted" ? "14" : "15";
    await age.fill(typed);
    await save();
    await frame.getByText("Pathway didn’t answer", { exact: false }).first().waitFor();
    expect(await frame.getByText("Nothing was saved").count()).toBe(0);
    expect(await age.inputValue()).toBe(typed);
    await page.unroute(/\/app\/settings\/orders/);
    await save();
    await expect
      .poll(() => world.sql.count(`SELECT count(*) FROM shops WHERE minimum_age = ${typed}`))
      .toBe(1);
    await frame.getByText("Pathway didn’t answer", { exact: false }).waitFor({ state: "detached" });
  },
);

test("the collection notice says what the shop answers, and asks for what is missing", async () => {
  const frame = await open("privacy", "Privacy");
  const save = () => merchant.page.getByRole("button", { name: "Save", exact: true }).click();
  await frame.getByLabel("Who gets the details").fill("Example Pathology Pty Ltd");
  await frame.getByLabel("Is this information sent outside Australia?").selectOption("yes");
  await save();
  await frame.getByRole("button", { name: "Name the countries." }).waitFor();
  await merchant.look("admin-settings-notice-errors");
  await frame.getByLabel("Countries").fill("New Zealand");
  await save();
  await frame
    .getByText("likely to be sent outside Australia, to New Zealand.", { exact: false })
    .waitFor();
  await merchant.look("admin-settings-notice");
  const rows = `SELECT count(*) FROM shops WHERE notice_recipient = 'Example Pathology Pty Ltd'
                AND notice_overseas AND notice_countries = 'New Zealand'`;
  // The words are a preview, which is drawn before it is saved.
  await expect.poll(() => world.sql.count(rows)).toBe(1);
});

test("a manager chooses who gets alerts; nobody hears of an outage only if the page says so", async () => {
  const frame = await open("notifications", "Notifications");
  const save = () => merchant.page.getByRole("button", { name: "Save", exact: true }).click();
  const rows = (sql: string) => world.sql.count(`SELECT count(*) FROM alert_recipients ${sql}`);
  const contact = frame.getByLabel("Outages").first();
  await contact.uncheck();
  await save();
  await frame.getByText("Nobody is emailed about outages.").waitFor();
  await merchant.look("admin-settings-alerts-nobody");
  await frame.getByLabel("Email address").fill("night.shift@example");
  await save();
  await frame.getByRole("button", { name: "Enter an email address." }).waitFor();
  await frame.getByLabel("Email address").fill("night.shift@example.com");
  await frame.getByLabel("Outages").last().check();
  await save();
  await frame.getByRole("heading", { name: "night.shift@example.com" }).waitFor();
  await frame.getByText("Nobody is emailed about outages.").waitFor({ state: "hidden" });
  expect(await rows("WHERE 'outage' = ANY (kinds)")).toBe(1);
  await merchant.look("admin-settings-alerts");
  await frame.getByRole("button", { name: "Remove night.shift@example.com" }).click();
  await frame.getByRole("dialog").getByRole("button", { name: "Remove", exact: true }).click();
  await frame
    .getByRole("heading", { name: "night.shift@example.com" })
    .waitFor({ state: "hidden" });
  await contact.check();
  await save();
  await expect.poll(() => rows("WHERE 'outage' = ANY (kinds)")).toBe(1);
  expect(await rows("")).toBe(1);
});
