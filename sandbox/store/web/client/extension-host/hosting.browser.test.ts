import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { launchBrowser } from "../../testing/browser.ts";
import { createMemoryStore } from "../../testing/memory-store.ts";
import { writeExtension } from "../../testing/sample-extension.ts";
import { FORM_SOURCE, PAGE_SOURCE } from "../../testing/sample-form.ts";
import { type RunningWeb, startWeb } from "../../testing/start-web.ts";

let browser: Browser;
let web: RunningWeb;
let app: Server;
let folder: string;
let page: Page;
const received: { authorization: string | undefined; cookie: string | undefined; body: string }[] =
  [];

beforeAll(async () => {
  app = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      response.setHeader("Access-Control-Allow-Origin", "*");
      response.setHeader("Access-Control-Allow-Headers", "*");
      if (request.method === "POST") {
        received.push({
          authorization: request.headers.authorization,
          cookie: request.headers.cookie,
          body,
        });
      }
      response.end("sent");
    });
  });
  app.listen(0, "127.0.0.1");
  await once(app, "listening");
  const address = app.address();
  if (address === null || typeof address === "string") throw new Error("No port");

  folder = await mkdtemp(join(tmpdir(), "hosting-"));
  await writeFile(join(folder, "shopify.app.toml"), 'application_url = "https://app.example"\n');
  const extensionsDir = join(folder, "extensions");
  await writeExtension(extensionsDir, {
    handle: "form",
    target: "customer-account.order-status.block.render",
    source: FORM_SOURCE,
    locale: { greeting: "Tests of {{order}}" },
  });
  await writeExtension(extensionsDir, {
    handle: "page",
    target: "customer-account.page.render",
    source: PAGE_SOURCE,
  });
  const store = createMemoryStore();
  store.facts.app.url = `http://127.0.0.1:${address.port}`;
  await store.placeOrder({
    customerId: null,
    email: "ann@example.com",
    phone: null,
    test: false,
    lines: [{ variantId: "gid://shopify/ProductVariant/10", quantity: 1 }],
    address: {
      firstName: "Ann",
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
});
afterAll(async () => {
  await browser?.close();
  await web?.stop();
  app?.close();
  await rm(folder, { recursive: true });
});

beforeEach(async () => {
  const context = await browser.newContext();
  await context.addCookies([{ name: "sandbox_customer", value: "session-1", url: web.origin }]);
  page = await context.newPage();
});
afterEach(async () => {
  received.length = 0;
  await page.context().close();
});

describe("a hosted extension", () => {
  it("takes input, keeps what is typed quickly, and sends it to the app with a customer token", async () => {
    await page.goto(`${web.origin}/account/orders/1001`);
    await page.getByRole("heading", { name: "Tests of #1001" }).waitFor({ timeout: 30_000 });
    await page.getByLabel("Name").pressSequentially("Ann Example the Second", { delay: 0 });
    await page.getByLabel("State").selectOption("VIC");
    expect(await page.getByLabel("Me", { exact: true }).isChecked()).toBe(true);
    await page.getByLabel("Another adult").check();
    await page.getByLabel("I agree").check();
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("sent", { exact: true }).waitFor();
    expect(received).toEqual([
      {
        authorization: "Bearer customer-token-of-gid://shopify/Customer/1",
        cookie: undefined,
        body: JSON.stringify({
          name: "Ann Example the Second",
          state: "VIC",
          who: ["other"],
          agreed: true,
        }),
      },
    ]);
    expect(await page.getByLabel("Name").inputValue()).toBe("Ann Example the Second");
  });

  it("submits by Enter and shows an error where it belongs", async () => {
    await page.goto(`${web.origin}/account/orders/1001`);
    const name = page.getByLabel("Name");
    await name.fill("x");
    await page.getByText("Too short").waitFor();
    expect(await name.getAttribute("aria-invalid")).toBe("true");
    await name.fill("Bo");
    await page.getByText("Too short").waitFor({ state: "hidden" });
    await name.press("Enter");
    await page.getByText("sent", { exact: true }).waitFor();
    expect(received[0]?.body).toContain('"name":"Bo"');
  });

  it("is held to the values that Shopify's types allow", async () => {
    await page.goto(`${web.origin}/account/orders/1001`);
    await page.getByRole("button", { name: "Send" }).waitFor();
    expect(await page.evaluate(() => window.violations)).toEqual(["s-button.tone=loud"]);
  });

  it("leads to other places of the account", async () => {
    await page.goto(`${web.origin}/account/orders/1001`);
    await page.getByRole("button", { name: "Profile" }).click();
    await page.waitForURL("**/account/profile");
    await page.goBack();
    await page.getByRole("link", { name: "Results" }).click();
    await page.waitForURL("**/account/pages/page/results/7");
    await page.getByText("At extension:/results/7").waitFor();
  });

  it("routes inside its own page without loading it anew", async () => {
    await page.goto(`${web.origin}/account/pages/page`);
    await page.getByText("At extension:/", { exact: true }).waitFor();
    await page.evaluate(() => document.body.setAttribute("data-mark", "same page"));
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByText("At extension:/results/8").waitFor();
    expect(new URL(page.url()).pathname).toBe("/account/pages/page/results/8");
    await page.goBack();
    await page.getByText("At extension:/", { exact: true }).waitFor();
    expect(await page.locator("[data-mark]").count()).toBe(1);
  });

  it("knows a reader of the status link for no customer, and asks for a login", async () => {
    await page.context().clearCookies();
    await page.goto(`${web.origin}/account/orders/1001?key=key-of-1001`);
    await page.getByText("pre_authenticated nobody").waitFor();
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("sent", { exact: true }).waitFor();
    expect(received[0]?.authorization).toBe("Bearer customer-token-of-nobody");
    await page.getByRole("button", { name: "Sign in to go on" }).click();
    await page.waitForURL("**/account/login?return=%2Faccount%2Forders%2F1001");
  });

  it("has no network without the capability", async () => {
    const quiet = join(folder, "quiet");
    await writeExtension(quiet, {
      handle: "form",
      target: "customer-account.order-status.block.render",
      source: FORM_SOURCE,
      networkAccess: false,
    });
    const store = createMemoryStore();
    await store.placeOrder({
      customerId: null,
      email: "ann@example.com",
      phone: null,
      test: false,
      lines: [],
      address: {
        firstName: "A",
        lastName: "B",
        address1: "1",
        city: "S",
        provinceCode: "NSW",
        zip: "2000",
        countryCode: "AU",
      },
    });
    const other = await startWeb(store, { extensionsDir: quiet });
    try {
      await page
        .context()
        .addCookies([{ name: "sandbox_customer", value: "session-1", url: other.origin }]);
      await page.goto(`${other.origin}/account/orders/1001`);
      await page.getByRole("button", { name: "Fetch" }).click();
      await page.getByText("no network_access capability").waitFor();
    } finally {
      await other.stop();
    }
  });
});
