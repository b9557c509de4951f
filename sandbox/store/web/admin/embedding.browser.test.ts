import { AxeBuilder } from "@axe-core/playwright";
import type { Browser, FrameLocator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { launchBrowser, USER_AGENT } from "../testing/browser.ts";
import { createMemoryStore, type MemoryStore } from "../testing/memory-store.ts";
import { type SampleApp, startSampleApp } from "../testing/sample-app.ts";
import { type RunningWeb, startWeb } from "../testing/start-web.ts";

let browser: Browser;
let store: MemoryStore;
let web: RunningWeb;
let app: SampleApp;
let page: Page;
let frame: FrameLocator;
const base = () => `${web.origin}/admin-ui/store/example`;

beforeAll(async () => {
  store = createMemoryStore();
  app = await startSampleApp(store.facts.app.apiKey);
  store.facts.app.url = app.url;
  web = await startWeb(store);
  app.setStore(web.origin);
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await web?.stop();
  await app?.stop();
});
beforeEach(async () => {
  const context = await browser.newContext({ userAgent: USER_AGENT });
  page = await context.newPage();
  frame = page.frameLocator("#app-frame");
  app.requests.length = 0;
});
afterEach(() => page.context().close());

async function openApp(path = "/app"): Promise<void> {
  await page.goto(`${base()}/apps/sample${path}`);
  await frame.getByRole("heading", { name: `At ${path}`, exact: true }).waitFor();
  await page.locator("#progress").waitFor({ state: "hidden" });
}
const said = (text: string) => frame.getByRole("status").filter({ hasText: text }).waitFor();
const press = (name: string) => frame.getByRole("button", { name, exact: true }).click();

describe("the embedded admin", () => {
  it("opens the app with a token and answers its title bar", async () => {
    await openApp();
    expect(app.requests[0]).toMatchObject({ path: "/app", authorisation: "id_token" });
    expect(await page.locator("#app-title").textContent()).toBe("Sample /app");
    await page.getByRole("button", { name: "Create" }).click();
    await said("primary");
    await page.getByRole("button", { name: "← Home" }).click();
    await said("breadcrumb");
    const { violations } = await new AxeBuilder({ page })
      .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"])
      .analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.target}`)).toEqual([]);
  });

  it("puts the token on the app's own requests, and repeats one that was refused, once", async () => {
    await openApp();
    app.refuseNext();
    await press("Ping");
    await said("ping true");
    const pings = app.requests.filter(({ path }) => path === "/api/ping");
    expect(pings.map(({ authorisation }) => authorisation)).toEqual(["bearer", "bearer"]);
  });

  it("loads a page without a token by way of the bounce page, and works on afterwards", async () => {
    await openApp();
    await page.locator("#app-frame").evaluate((element, url) => {
      if (element instanceof HTMLIFrameElement) element.src = url;
    }, `${app.url}/app/orders?page=2`);
    await frame.getByRole("heading", { name: "At /app/orders" }).waitFor();
    expect(app.requests.slice(1).filter(({ path }) => !path.startsWith("/api"))).toMatchObject([
      { path: "/app/orders", authorisation: "none" },
      { path: "/auth/session-token" },
      { path: "/app/orders", authorisation: "bearer", bounce: true },
    ]);
    await press("Ping");
    await said("ping true");
    await page.getByRole("button", { name: "Create" }).click();
    await said("primary");
    await press("Change");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await said("saved");
    expect(page.url()).toBe(`${base()}/apps/sample/app/orders?page=2`);
  });

  it("keeps its address in step with the app, back included", async () => {
    await openApp();
    await page.locator("#app-nav").getByRole("link", { name: "Settings" }).click();
    await frame.getByRole("heading", { name: "At /app/settings" }).waitFor();
    await expect.poll(() => page.url()).toBe(`${base()}/apps/sample/app/settings`);
    expect(await page.locator('#app-nav [aria-current="page"]').textContent()).toBe("Settings");
    await press("Push");
    await expect.poll(() => page.url()).toBe(`${base()}/apps/sample/app/pushed`);
    await page.goBack();
    await expect.poll(() => page.url()).toBe(`${base()}/apps/sample/app/settings`);
  });

  it("shows the save bar for elements and marked forms, and guards unsaved changes", async () => {
    await openApp();
    await press("Change");
    await page.getByText("Unsaved changes", { exact: true }).waitFor();
    await page.locator("#app-nav").getByRole("link", { name: "Settings" }).click();
    await page.getByRole("button", { name: "Stay on this page" }).click();
    expect(await page.locator("#app-title").textContent()).toBe("Sample /app");
    await page.getByRole("button", { name: "Discard", exact: true }).click();
    await said("discarded");
    await page.locator("#save-bar").waitFor({ state: "hidden" });
    await frame.getByLabel("Name").fill("after");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await said("form submitted");
    await frame.getByLabel("Name").fill("again");
    await page.getByRole("button", { name: "Discard", exact: true }).click();
    await expect.poll(() => frame.getByLabel("Name").inputValue()).toBe("before");
  });

  it("shows toasts, modals and the resource picker", async () => {
    await openApp();
    await press("Toast");
    await page.getByText("Hello from the app").waitFor();
    await press("Ask");
    await frame.getByText("Inside the modal").waitFor();
    await frame.getByRole("button", { name: "Yes" }).click();
    await said("confirmed");
    await press("Pick");
    await page.getByRole("searchbox", { name: "Search products" }).fill("thyroid");
    await page.getByLabel("Thyroid Function").check();
    await page.getByRole("button", { name: "Add" }).click();
    await said("1 picked");
    await press("Pick");
    await page.getByRole("dialog", { name: "Add products" }).waitFor();
    await page.keyboard.press("Escape");
    await said("closed");
  });

  it("asks the merchant before it grants optional scopes, and gives them back", async () => {
    await openApp();
    await press("Too much access");
    await said("write_themes is not declared");
    await press("More access");
    await page.getByText("Sample asks for more access to this store: write_orders.").waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await said("declined-all read_products");
    await press("More access");
    await page.getByRole("button", { name: "Update permissions" }).click();
    await said("granted-all read_products,write_orders");
    await press("Less access");
    await said("left read_products");
  });

  it("leaves the app for places in the admin, also when the app's server asks for it", async () => {
    await openApp();
    await press("Products");
    await page.waitForURL(`${base()}/products`);
    await openApp();
    await press("Reauthorise");
    await page.waitForURL(`${base()}/settings`);
    await openApp();
    await press("Top");
    await page.waitForURL(`${base()}/apps/sample/app/orders`);
  });

  it("brings a page that was opened outside back into the admin", async () => {
    const query = new URLSearchParams({ shop: "example.myshopify.com", host: "x", id_token: "t" });
    await page.goto(`${app.url}/app/orders?${query}`);
    await page.waitForURL(`${base()}/apps/sample/app/orders`);
  });

  it("hears nobody but the app", async () => {
    await openApp();
    // The frame's own window is not the app's: what it sends itself must change nothing.
    await page.evaluate(() => {
      const bar = { id: "x", saveDisabled: false, saveLoading: false };
      const message = {
        channel: "sandbox-app-bridge",
        kind: "call",
        id: 1,
        method: "saveBar",
        parameters: bar,
      };
      window.postMessage(message, "*");
    });
    await press("Ping");
    await said("ping true");
    expect(await page.locator("#save-bar").isHidden()).toBe(true);
  });

  it("says what to look at when the app does not answer", async () => {
    store.facts.app.url = "http://127.0.0.1:9";
    try {
      await page.goto(`${base()}/apps/sample/app`);
      await page.getByText("has not answered").waitFor({ timeout: 60_000 });
    } finally {
      store.facts.app.url = app.url;
    }
  });
});
