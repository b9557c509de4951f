import type { Browser, FrameLocator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { launchBrowser, USER_AGENT } from "../../sandbox/store/web/testing/browser.ts";
import { oneReferralEach } from "../flows/at-the-service.ts";
import { orderOf, requestsOf } from "../flows/rows.ts";
import { goShopping, only, type Shopping } from "../flows/shopping.ts";
import { eventually, startWorld, type TestWorld } from "../harness/index.ts";
import { type Sightseer, sendSightseer } from "./sightseer.ts";

let world: TestWorld;
let shopping: Shopping;
let browser: Browser;
beforeAll(async () => {
  world = await startWorld();
  shopping = goShopping(world);
  browser = await launchBrowser();
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await world?.stop();
}, 60_000);

const newSightseer = async () =>
  sendSightseer(await browser.newContext({ userAgent: USER_AGENT, locale: "en-AU" }));

const number = (id: string) => id.split("/").at(-1) ?? "";
const adminAddress = (path: string) => {
  const { admin_url, shop } = world.line.store;
  return `${admin_url}/store/${shop.replace(".myshopify.com", "")}${path}`;
};

/** Opens a page of the app inside the admin and answers its frame. */
async function openApp({ page }: Sightseer, path: string, heading: string): Promise<FrameLocator> {
  await page.goto(adminAddress(`/apps/pathway${path}`));
  const frame = page.frameLocator("#app-frame");
  await frame.getByRole("heading", { name: heading, level: 1 }).waitFor();
  await page.locator("#progress").waitFor({ state: "hidden" });
  return frame;
}

/** Signs a customer in with the code from their mail. */
async function signIn({ page }: Sightseer, email: string): Promise<void> {
  await page.goto(`${world.line.store.store_url}/account/login`);
  await page.getByLabel("E-mail address").fill(email);
  await page.getByRole("button", { name: "Continue" }).click();
  const code = await eventually(async () => {
    const mail = (await world.store.mail()).find(
      ({ to, text }) => to.includes(email) && /\b\d{6}\b/.test(text),
    );
    return /\b(\d{6})\b/.exec(mail?.text ?? "")?.[1] ?? Promise.reject(new Error("no code yet"));
  });
  await page.getByLabel("Code").fill(code);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Orders" }).waitFor();
}

/** Fills in what the form could not know. */
async function fillIn(page: Page): Promise<void> {
  const patient = shopping.patient();
  await page.getByLabel("Date of birth").fill(patient.dob);
  await page.getByLabel("Sex recorded for the test").selectOption({ label: "Female" });
  await page.getByLabel(/^The patient agrees/).check();
}

/** Presses a button that opens a document, and answers the first bytes of what the browser then got. */
async function opened(page: Page, name: RegExp): Promise<string> {
  const asked = page.waitForResponse((response) => response.url().endsWith("/open"));
  await page.getByRole("button", { name }).first().click();
  const { url } = z.object({ url: z.url() }).parse(await (await asked).json());
  return url;
}

test("the merchant's pages", async () => {
  const buyer = await shopping.newShopper();
  const { order } = await shopping.buyToForm(buyer, 2);
  const waiting = await shopping.buy(await shopping.newShopper(), [
    [shopping.product("tests").variantId, 1],
    [shopping.product("ignored").variantId, 1],
  ]);
  const unmapped = world.line.products.find(({ state }) => state === "unmapped");
  const attention = await shopping.buy(await shopping.newShopper(), [
    [unmapped?.variantId ?? "", 1],
  ]);
  await shopping.requestsWhen(waiting, 1);
  await eventually(async () =>
    expect((await orderOf(world.sql, attention.id)).attention).not.toBeNull(),
  );

  const merchant = await newSightseer();
  await openApp(merchant, "/app", "Home");
  await merchant.look("admin-home");
  await openApp(merchant, "/app/mappings", "Mapping");
  await merchant.look("admin-mappings");
  const bundle = number(shopping.product("bundle").variantId);
  await openApp(merchant, `/app/mappings/${bundle}`, shopping.product("bundle").title);
  await merchant.look("admin-mapping");
  await openApp(merchant, "/app/referrals", "Orders and referrals");
  await merchant.look("admin-orders");
  for (const [name, { id, name: title }] of Object.entries({ order, waiting, attention })) {
    await openApp(merchant, `/app/orders/${number(id)}`, title);
    await merchant.look(`admin-order-${name}`);
  }
  await openApp(merchant, "/app/settings", "Settings");
  await merchant.look("admin-settings");
  await merchant.page.context().close();
}, 180_000);

test("the merchant maps a product and tests the connection by clicking", async () => {
  const product = await world.store.createProduct({
    title: "Magnesium level",
    variants: [{ sku: "MG-01", priceCents: 4_200 }],
  });
  const { id: variantId } = only(product.variants);
  const merchant = await newSightseer();
  const { page } = merchant;
  const frame = await openApp(merchant, "/app/mappings", "Mapping");
  await frame.getByRole("link", { name: "Magnesium level" }).click();
  await frame.getByRole("heading", { name: "Magnesium level", level: 1 }).waitFor();
  await frame.getByLabel("A pathology test").check();
  await frame.getByLabel("Bundle").selectOption({ index: 1 });
  await page.getByText("Unsaved changes", { exact: true }).waitFor();
  await merchant.look("admin-mapping-unsaved");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.locator("#toasts").getByText("saved").waitFor();
  await eventually(async () =>
    expect(
      await world.sql.count(
        "SELECT count(*) FROM mappings WHERE variant_id = $1 AND bundle_id IS NOT NULL",
        [variantId],
      ),
    ).toBe(1),
  );

  const settings = await openApp(merchant, "/app/settings", "Settings");
  await settings.getByRole("button", { name: "Test connection" }).first().click();
  await page
    .locator("#toasts")
    .getByText(/connect|tests/i)
    .waitFor();
  await merchant.look("admin-settings-tested");
  await page.context().close();
}, 180_000);

test("a shopper buys, gives the details, opens the form and reads the results; nobody else does", async () => {
  const shopper = await newSightseer();
  const { page } = shopper;
  const { store_url: shop } = world.line.store;
  const bundle = shopping.product("bundle");
  const buyer = await shopping.newShopper();
  await page.goto(`${shop}/account/login`);
  await shopper.look("shop-login");
  await signIn(shopper, buyer.email);

  await page.goto(shop);
  await shopper.look("shop-home");
  await page.getByRole("link", { name: bundle.title }).click();
  await page.getByRole("heading", { name: bundle.title, level: 1 }).waitFor();
  await shopper.look("shop-product");
  await page.getByRole("button", { name: "Add to cart" }).click();
  await page.getByRole("link", { name: /check ?out/i }).click();
  await page.getByRole("link", { name: "Fill in a sample" }).click();
  await shopper.look("shop-checkout");
  await page.getByRole("button", { name: "Pay now" }).click();
  await page.getByRole("link", { name: "View your order" }).click();

  // The order status page, with the app's block.
  await page.getByRole("button", { name: /^I am the patient/ }).click({ timeout: 30_000 });
  const orderPage = page.url();
  await shopper.look("account-order-form");
  await page.getByRole("button", { name: "Save details" }).click();
  await page.getByText("Some details need another look").waitFor();
  await shopper.look("account-order-form-errors");
  await fillIn(page);
  await page.getByRole("button", { name: "Save details" }).click();
  await page.getByText("Details saved").waitFor();

  // The form, as soon as it is there.
  await eventually(
    async () => {
      await page.goto(orderPage);
      await page.getByRole("button", { name: /^Open referral form/ }).waitFor({ timeout: 2_000 });
    },
    { what: "the form's button", timeoutMs: 30_000 },
  );
  await shopper.look("account-order-form-ready");
  expect(await opened(page, /^Open referral form/)).toMatch(/^%PDF-/);

  const [request] = await buyer.api.requests();
  const [referral] = await oneReferralEach(
    world,
    await requestsOf(world.sql, request?.orderId ?? ""),
  );
  await world.console.sendResults(referral?.uuid ?? "", { partial: true, abnormal: true, seed: 7 });
  await eventually(async () =>
    expect((await buyer.api.requests())[0]?.state).toBe("partial_results"),
  );
  await page.goto(`${shop}/account/pages/my-tests`);
  await page.getByRole("button", { name: /^See results/ }).click();
  await page.getByText("These results are partial").waitFor();
  await shopper.look("account-result-partial");
  await world.console.sendResults(referral?.uuid ?? "", { abnormal: true, seed: 7 });
  await eventually(async () =>
    expect((await buyer.api.requests())[0]?.state).toBe("results_ready"),
  );
  await page.goto(`${shop}/account/pages/my-tests`);
  await page.getByRole("button", { name: /^See results/ }).waitFor();
  await shopper.look("account-my-tests");
  await page.getByRole("button", { name: /^See results/ }).click();
  await page.getByText("Within range").first().waitFor();
  await shopper.look("account-result");
  await page.goto(orderPage);
  await page.getByRole("button", { name: /^Open result report/ }).waitFor();
  await shopper.look("account-order-results");
  expect(await opened(page, /^Open result report/)).toMatch(/^%PDF-/);

  const other = await newSightseer();
  await signIn(other, (await shopping.newShopper()).email);
  await other.page.goto(`${shop}/account/pages/my-tests`);
  await other.page.getByText("No tests yet").waitFor();
  await other.look("account-my-tests-empty");
  await other.page.goto(`${shop}/account/pages/my-tests/results/${request?.resultId ?? ""}`);
  await other.page.getByText("Not available").waitFor();
  await other.page.context().close();
  await page.context().close();
}, 240_000);
