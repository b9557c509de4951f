import type { Browser, FrameLocator } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser, USER_AGENT } from "../../sandbox/store/web/testing/browser.ts";
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
