import { expect, test } from "vitest";
import { patients } from "../harness/index.ts";
import { atTheService, watchForStrangers } from "./as-laboratory.ts";
import { adminAddress, openApp } from "./as-merchant.ts";
import { fillInDetails, openDocument, openUntil, readCode } from "./as-shopper.ts";
import { openOwnBrowserFixture } from "./browser-fixture.ts";
import { type PageAuditor, sendPageAuditor } from "./page-auditor.ts";

// Does what somebody does who tries everything for the first time, by clicking alone: no call of a control interface,
// no knowledge of a database. The world is new, and the app is in no shop.

const PRODUCT = "Essential Health Check";
const BUYER = "mia.thompson@example.com";

const strangers: string[] = [];
const { world, newContext } = await openOwnBrowserFixture({ uninstalled: true });

async function newPageAuditor(): Promise<PageAuditor> {
  const context = await newContext();
  watchForStrangers(context, (url) => strangers.push(url));
  return sendPageAuditor(context);
}

test("from an empty shop to a result, by clicking", async () => {
  const merchant = await newPageAuditor();
  await install(merchant);
  const laboratory = await newPageAuditor();
  const service = atTheService(world, laboratory);
  await service.signUp();
  await connect(merchant, service);
  await map(merchant);

  const shopper = await newPageAuditor();
  await signInByInbox(shopper);
  const orderPage = await buy(shopper);
  await giveDetails(shopper, orderPage);
  expect(await openDocument(shopper.page, /^Open referral form/)).toMatch(/THOMPSON.*Mia/s);

  await service.openNewestReferral();
  await laboratory.look("service-referral");
  await service.sendResults();
  await laboratory.look("service-referral-results");
  await openResult(shopper, orderPage);
  await lookAtOrder(merchant);
  await switchToLegacyAccounts(merchant, shopper);
  expect(strangers).toEqual([]);
}, 300_000);

async function install(merchant: PageAuditor): Promise<void> {
  const { page } = merchant;
  await page.goto(`${world.line.store.store_url}/sandbox`);
  await merchant.look("sandbox-start");
  await page.getByRole("link", { name: /Install Pathway/ }).click();
  await page.getByRole("heading", { name: "Install Pathway?" }).waitFor();
  await merchant.look("store-install");
  await page.getByRole("button", { name: "Install" }).click();
  const frame = page.frameLocator("#app-frame");
  await frame.getByRole("heading", { name: "Home", level: 1 }).waitFor();
  await page.locator("#progress").waitFor({ state: "hidden" });
  await merchant.look("admin-home-first");
}

async function connect(
  merchant: PageAuditor,
  service: ReturnType<typeof atTheService>,
): Promise<void> {
  const { page } = merchant;
  const { clientId, clientSecret } = await service.createKey();
  const settings = await openApp(world, merchant, {
    path: "/app/settings/connection",
    heading: "Connection",
  });
  await settings.getByLabel("Client ID").first().fill(clientId);
  await settings.getByLabel("Client secret").first().fill(clientSecret);
  await settings.getByRole("button", { name: "Connect", exact: true }).click();
  const address = settings.getByRole("textbox", { name: "Webhook address" });
  await address.waitFor();
  const secret = await service.registerWebhook(await address.inputValue());
  await settings.getByLabel("Signing secret").fill(secret);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Unsaved changes", { exact: true }).waitFor({ state: "hidden" });
  await settings.getByRole("button", { name: "Test connection" }).click();
  await settings.getByText("Connected", { exact: true }).waitFor();
}

async function map(merchant: PageAuditor): Promise<void> {
  const { page } = merchant;
  const frame = await openApp(world, merchant, {
    path: "/app/mappings",
    heading: "Product mapping",
  });
  await frame.getByRole("link", { name: PRODUCT }).click();
  await frame.getByRole("heading", { name: PRODUCT, level: 1 }).waitFor();
  await frame.getByLabel("A pathology test").check();
  await frame.getByLabel("Bundle").selectOption({ index: 1 });
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Unsaved changes", { exact: true }).waitFor({ state: "hidden" });
}

/** Signs in by the code that the inbox's own pages show. */
async function signInByInbox(shopper: PageAuditor): Promise<void> {
  const { page } = shopper;
  await page.goto(`${world.line.store.store_url}/account/login`);
  await page.getByLabel("Email address").fill(BUYER);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("heading", { name: "Enter your code" }).waitFor();
  await shopper.look("shop-login-code");
  const [inbox] = await Promise.all([
    page.waitForEvent("popup"),
    page.getByRole("link", { name: "inbox", exact: true }).click(),
  ]);
  await inbox.getByRole("link", { name: /is your code/ }).click();
  await inbox.getByRole("heading", { name: /is your code/ }).waitFor();
  const code = await readCode(inbox);
  await inbox.close();
  await page.getByLabel("Code").fill(code);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Orders" }).waitFor();
}

/** Buys one unit, and answers the address of the order's page. */
async function buy(shopper: PageAuditor): Promise<string> {
  const { page } = shopper;
  await page.goto(world.line.store.store_url);
  await page.getByRole("link", { name: PRODUCT }).click();
  await page.getByRole("button", { name: "Add to cart" }).click();
  await page.getByRole("heading", { name: "Cart", level: 1 }).waitFor();
  await shopper.look("shop-cart");
  await page.getByRole("link", { name: /check ?out/i }).click();
  await page.getByLabel("First name").fill("Mia");
  await page.getByLabel("Last name").fill("Thompson");
  await page.getByLabel("Address", { exact: true }).fill("12 Harbour Street");
  await page.getByLabel("Suburb").fill("Sydney");
  await page.getByLabel("State/territory").selectOption("NSW");
  await page.getByLabel("Postcode").fill("2000");
  await page.getByLabel("Phone").fill("0412 345 678");
  await page.getByLabel("Card number").fill("4242 4242 4242 4242");
  await page.getByLabel("Expiry date").fill("12/30");
  await page.getByLabel("Security code").fill("123");
  await page.getByLabel("Name on card").fill("Mia Thompson");
  await page.getByRole("button", { name: "Pay now" }).click();
  await page.getByRole("heading", { name: "Thank you, Mia!" }).waitFor();
  // The block knows tests by what Pathway publishes with each product, a moment after it is mapped.
  const next = page.getByRole("link", { name: "Enter the patient’s details" });
  await openUntil(page, page.url(), next);
  await shopper.look("shop-thank-you");
  await next.click();
  await page.getByRole("heading", { name: /^Order #/, level: 1 }).waitFor();
  return page.url();
}

async function giveDetails(shopper: PageAuditor, orderPage: string): Promise<void> {
  const { page } = shopper;
  await page.getByRole("button", { name: /^It’s for me/ }).click();
  const [patient] = patients("journey");
  const blank = { "First name": "Mia", "Last name": "Thompson" };
  for (const [label, value] of Object.entries(blank)) await page.getByLabel(label).fill(value);
  await fillInDetails(page, patient);
  await page.getByRole("button", { name: "Save details" }).click();
  await page.getByText("Details saved").waitFor();
  await openUntil(page, orderPage, page.getByRole("button", { name: /^Open referral form/ }));
}

async function openResult(shopper: PageAuditor, orderPage: string): Promise<void> {
  const { page } = shopper;
  await openUntil(page, orderPage, page.getByRole("button", { name: /^Open result report/ }));
  expect(await openDocument(page, /^Open result report/)).toMatch(/Thompson/i);
  await page.getByRole("link", { name: "My tests" }).click();
  await page.getByRole("button", { name: /^See results/ }).click();
  await page.getByText("Within range").first().waitFor();
  await page.goto(`${world.line.store.store_url}/sandbox/mail`);
  await page.getByRole("heading", { name: "Inbox" }).waitFor();
  await shopper.look("sandbox-inbox");
  await page.goto(`${world.line.store.store_url}/sandbox/webhooks`);
  await page.getByRole("heading", { name: "Webhooks" }).waitFor();
  await shopper.look("sandbox-webhooks");
  await page.getByRole("link", { name: "orders/paid" }).click();
  await page.getByText("X-Shopify-Hmac-Sha256").waitFor();
  await shopper.look("sandbox-webhook");
}

/** A shop that still has legacy customer accounts: pages of its theme, with a way to the app. */
async function switchToLegacyAccounts(merchant: PageAuditor, shopper: PageAuditor): Promise<void> {
  await merchant.page.goto(adminAddress(world, "/settings"));
  await merchant.page.getByRole("radio", { name: "Legacy customer accounts" }).check();
  await merchant.page.getByRole("button", { name: "Save", exact: true }).click();
  await merchant.page.getByRole("heading", { name: "Settings", level: 1 }).waitFor();
  const { page } = shopper;
  await page.goto(`${world.line.store.store_url}/account/orders`);
  await page.getByRole("link", { name: "All tests" }).waitFor();
  await page.getByRole("link", { name: "Order #1001" }).click();
  await page.getByRole("link", { name: "Open your Pathway page" }).waitFor();
  await shopper.look("shop-legacy-order");
}

/** The order in the shop's own admin, with the app's block. */
async function lookAtOrder(merchant: PageAuditor): Promise<void> {
  const { page } = merchant;
  await page.goto(adminAddress(world, ""));
  await page.getByRole("heading", { level: 1 }).waitFor();
  await merchant.look("store-admin-home");
  for (const place of ["Products", "Settings", "Orders"]) {
    await page.goto(adminAddress(world, `/${place.toLowerCase()}`));
    await page.getByRole("heading", { name: place, level: 1 }).waitFor();
    await merchant.look(`store-admin-${place.toLowerCase()}`);
  }
  await page.getByRole("link", { name: /^#\d+$/ }).click();
  await page.getByText("Results ready").first().waitFor();
  await merchant.look("store-admin-order");
}
