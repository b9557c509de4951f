import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { only } from "../flows/shopping.ts";
import { openApp } from "./as-merchant.ts";
import { openBrowserFixture } from "./browser-fixture.ts";

const { world, shopping, newPageAuditor } = await openBrowserFixture();
const saveNothing = () =>
  world.pages.submit("/app/settings", { intent: "save-store", helpPhone: "", helpHours: "" });
afterAll(saveNothing);

/** An old laptop with much else to do. */
async function slowDown(page: Page, rate = 20) {
  const browser = await page.context().newCDPSession(page);
  await browser.send("Emulation.setCPUThrottlingRate", { rate });
}

/** So long that the save is answered somewhere in it. */
const HOURS = "Weekdays from nine to five, on Saturdays until noon, and whenever the lights are on";

test("what is typed during a save stays, also where the save is never seen under way", async () => {
  await saveNothing();
  const { page } = await newPageAuditor();
  const auditor = { page, look: async () => {} };
  const frame = await openApp(world, auditor, { path: "/app/settings/store", heading: "Store" });
  await slowDown(page);
  await frame.getByLabel("Customer phone").fill("02 5550 7777");
  const hours = frame.getByLabel("Opening hours");
  const bar = page.getByRole("button", { name: "Save", exact: true });
  const saveAndType = async () => {
    await bar.click();
    await hours.pressSequentially(HOURS, { timeout: 60_000 });
  };
  // The toast stands for five seconds, and typing may take longer.
  const told = page.locator("#toasts").getByText(/./).first();
  await Promise.all([told.waitFor(), saveAndType()]);
  await expect
    .poll(() => world.sql.count("SELECT count(*) FROM shops WHERE help_phone = '02 5550 7777'"))
    .toBe(1);
  expect(await hours.inputValue()).toBe(HOURS);
  expect(await frame.getByText("not saved").count()).toBe(0);
  await bar.click();
  await expect
    .poll(() => world.sql.count(`SELECT count(*) FROM shops WHERE help_hours = '${HOURS}'`))
    .toBe(1);
});

/** Somebody whose browser complains of the lines that break here. */
async function open(path: string, heading: string) {
  const { page } = await newPageAuditor();
  return { page, frame: await openApp(world, { page, look: async () => {} }, { path, heading }) };
}

const UNANSWERED = "Pathway didn’t answer";

test("a search that is taken back while its answer is under way leaves the whole list", async () => {
  const order = await shopping.buy(await shopping.newShopper(), [
    [shopping.product("tests").variantId, 1],
  ]);
  await shopping.requestsWhen(order, 1);
  const { page, frame } = await open("/app/referrals", "Orders and referrals");
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await page.route(/referrals\.data.*nobody-at-all/, async (route) => {
    await held;
    await route.continue();
  });
  const asked = page.waitForRequest(/referrals\.data.*nobody-at-all/);
  const search = frame.getByRole("searchbox").first();
  await search.fill("nobody-at-all");
  await asked;
  const whole = page.waitForResponse(
    (response) => /referrals\.data/.test(response.url()) && !/nobody/.test(response.url()),
  );
  await search.fill("");
  letGo();
  await whole;
  const listed = frame.getByRole("checkbox", { name: `Select order ${order.name}` });
  await listed.filter({ visible: true }).waitFor();
  expect(await search.inputValue()).toBe("");
});

test("an undoing whose answer is lost is offered again", async () => {
  const product = await world.store.createProduct({
    title: "Undone on a bad line",
    variants: [{ sku: "UNDO-LINE", priceCents: 9_000 }],
  });
  const { id: variantId } = only(product.variants);
  const { page, frame } = await open(`/app/mappings/${variantId.split("/").at(-1)}`, product.title);
  await frame.getByText("Not a test", { exact: true }).click();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  const undo = frame.getByRole("button", { name: `Undo: Mapping saved: ${product.title}` });
  await undo.waitFor();
  await page.route(/\/app\/mappings/, (route) =>
    route.request().method() === "POST" ? route.abort("connectionreset") : route.continue(),
  );
  await undo.click();
  await frame.getByText(UNANSWERED, { exact: false }).waitFor();
  await page.unroute(/\/app\/mappings/);
  await undo.click();
  await frame.getByText("The mapping is as it was before.").waitFor();
});

test("a save over a line that is dead altogether keeps the page and what was typed", async () => {
  const { page, frame } = await open("/app/settings/store", "Store");
  const hours = frame.getByLabel("Opening hours");
  await hours.fill("Every other Tuesday");
  await page.route(/\.data/, (route) => route.abort("connectionreset"));
  const gone = page.waitForEvent("requestfailed");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await gone;
  await frame.getByText(UNANSWERED, { exact: false }).first().waitFor();
  await expect
    .poll(() => page.getByRole("button", { name: "Save", exact: true }).isEnabled())
    .toBe(true);
  expect(await hours.inputValue()).toBe("Every other Tuesday");
});

test("a file whose sending has no answer is not called wrong", async () => {
  const { page, frame } = await open("/app/mappings/import", "Import mappings");
  const file = frame.getByLabel("CSV file");
  await file.setInputFiles({
    name: "a.csv",
    mimeType: "text/csv",
    buffer: Buffer.from("sku,kind"),
  });
  await page.route(/\/app\/mappings\/import/, (route) => route.abort("connectionreset"));
  await frame.getByRole("button", { name: "Check the file" }).click();
  await frame.getByText(UNANSWERED, { exact: false }).waitFor();
  expect(await file.getAttribute("aria-invalid")).toBeNull();
});
