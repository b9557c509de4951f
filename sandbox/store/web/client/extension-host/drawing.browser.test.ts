import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AxeBuilder } from "@axe-core/playwright";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchBrowser } from "../../testing/browser.ts";
import { ADMIN_SINK, CUSTOMER_SINK } from "../../testing/kitchen-sink.ts";
import { createMemoryStore } from "../../testing/memory-store.ts";
import { writeExtension } from "../../testing/sample-extension.ts";
import { type RunningWeb, startWeb } from "../../testing/start-web.ts";

let browser: Browser;
let web: RunningWeb;
let folder: string;
let page: Page;
const complaints: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "drawing-"));
  const extensionsDir = join(folder, "extensions");
  await writeExtension(extensionsDir, {
    handle: "customer-sink",
    target: "customer-account.page.render",
    source: CUSTOMER_SINK,
  });
  await writeExtension(extensionsDir, {
    handle: "admin-sink",
    target: "admin.order-details.block.render",
    source: ADMIN_SINK,
  });
  const store = createMemoryStore();
  store.state.customers.push({
    id: "gid://shopify/Customer/1",
    email: "a@example.com",
    phone: null,
    firstName: "A",
    lastName: "B",
    defaultAddress: null,
  });
  await store.placeOrder({
    customerId: null,
    email: "a@example.com",
    phone: null,
    test: false,
    lines: [{ variantId: "gid://shopify/ProductVariant/10", quantity: 1 }],
    address: {
      firstName: "A",
      lastName: "B",
      address1: "1 High St",
      city: "Sydney",
      provinceCode: "NSW",
      zip: "2000",
      countryCode: "AU",
    },
  });
  web = await startWeb(store, { extensionsDir });
  browser = await launchBrowser();
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  await context.addCookies([{ name: "sandbox_customer", value: "session-1", url: web.origin }]);
  page = await context.newPage();
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
});
afterAll(async () => {
  await browser?.close();
  await web?.stop();
  await rm(folder, { recursive: true });
});

async function expectDrawn(path: string): Promise<void> {
  complaints.length = 0;
  await page.goto(web.origin + path);
  await page.locator("[data-rendered]").waitFor({ timeout: 30_000 });
  expect(await page.evaluate(() => window.violations)).toEqual([]);
  expect(complaints).toEqual([]);
  const { violations } = await new AxeBuilder({ page })
    .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"])
    .analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.target}`)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
}

describe("the drawing of Shopify's elements", () => {
  it("has one for every element of the customer account, accessible and on a phone", async () => {
    await expectDrawn("/account/pages/customer-sink");
  });

  it("opens overlays by command, and copies", async () => {
    await page.getByRole("button", { name: "Open modal" }).click();
    await page.getByText("In the modal").waitFor();
    await page.getByRole("button", { name: "Yes" }).click();
    await page.getByText("In the modal").waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Open sheet" }).click();
    await page.getByText("In the sheet").waitFor();
    await page.getByRole("button", { name: "Close" }).click();
    await page.getByRole("button", { name: "Open popover" }).click();
    await page.getByText("In the popover").waitFor();
  });

  it("has one for every element of an admin block", async () => {
    await expectDrawn("/admin-ui/store/example/orders/1001");
  });
});
