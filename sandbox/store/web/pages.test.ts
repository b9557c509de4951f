import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createMemoryStore, type MemoryStore } from "./testing/memory-store.ts";
import { writeExtension } from "./testing/sample-extension.ts";
import { type RunningWeb, startWeb } from "./testing/start-web.ts";

let store: MemoryStore;
let web: RunningWeb;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "store-web-"));
  store = createMemoryStore();
  web = await startWeb(store, {
    extensionsDir: join(folder, "extensions"),
    cacheDir: join(folder, "cache"),
  });
});
afterEach(async () => {
  await web.stop();
  await rm(folder, { recursive: true });
});

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(web.origin + path, { redirect: "manual", headers });
const send = (path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(web.origin + path, {
    method: "POST",
    redirect: "manual",
    headers,
    body: new URLSearchParams(form),
  });
const cookieOf = (response: Response) =>
  response.headers
    .getSetCookie()
    .map((one) => one.split(";")[0])
    .join("; ");

const BUYER = {
  email: "ann@example.com",
  firstName: "Ann",
  lastName: "Example",
  address1: "1 High St",
  city: "Sydney",
  provinceCode: "NSW",
  zip: "2000",
  phone: "0400 000 000",
  cardNumber: "4242 4242 4242 4242",
  cardExpiry: "12/30",
  cardCode: "123",
  cardName: "Ann Example",
};

async function buy(form: Record<string, string> = BUYER): Promise<Response> {
  const cart = cookieOf(await send("/cart/add", { id: "10", quantity: "2" }));
  return send("/checkout", form, { Cookie: cart });
}

async function signIn(email = "ann@example.com"): Promise<string> {
  await send("/account/login", { email });
  return cookieOf(await send("/account/login/code", { email, code: "123456" }));
}

describe("paths", () => {
  it("leaves other paths to the store", async () => {
    for (const path of [
      "/admin/api/2026-07/graphql.json",
      "/control/orders",
      "/admin",
      "/favicon.ico",
    ]) {
      expect((await get(path)).status).toBe(418);
    }
  });
  it.each(["/products/none", "/account/nowhere", "/admin-ui/store/example/orders/1"])(
    "answers %s with a page of its own",
    async (path) => {
      const response = await get(path, { Cookie: await signIn() });
      expect(response.status).toBe(404);
      expect(await response.text()).toContain("<h1>");
    },
  );
  it("lets nothing be loaded from elsewhere", async () => {
    const policy = (await get("/")).headers.get("Content-Security-Policy");
    expect(policy).toContain("default-src 'self'");
    expect(policy).not.toContain("https:");
  });
});

describe("checkout", () => {
  it("places an order with what was asked, and empties the cart", async () => {
    const response = await buy();
    expect(response.status).toBe(303);
    expect(response.headers.get("Location")).toBe("/checkout/thank-you/1001?key=key-of-1001");
    expect(store.state.placed).toEqual([
      {
        customerId: null,
        email: "ann@example.com",
        phone: "0400 000 000",
        lines: [{ variantId: "gid://shopify/ProductVariant/10", quantity: 2 }],
        test: false,
        shippingAddress: {
          firstName: "Ann",
          lastName: "Example",
          company: null,
          address1: "1 High St",
          address2: null,
          city: "Sydney",
          provinceCode: "NSW",
          zip: "2000",
          countryCode: "AU",
          phone: "0400 000 000",
        },
      },
    ]);
    expect(decodeURIComponent(cookieOf(response))).toBe("sandbox_cart={}");
  });
  it("marks what the bogus gateway pays for as a test", async () => {
    await buy({ ...BUYER, cardNumber: "1" });
    expect(store.state.placed[0]?.test).toBe(true);
  });
  it("names each wrong field and charges nothing", async () => {
    const response = await buy({ ...BUYER, email: "nobody", zip: "20", cardNumber: "2" });
    expect(response.status).toBe(422);
    const text = await response.text();
    expect(text).toContain("Enter a valid email");
    expect(text).toContain("Enter a valid postcode");
    expect(text).not.toContain("was declined.");
    expect(store.state.placed).toEqual([]);
  });
  it("shows the confirmation only to the order's key", async () => {
    await buy();
    expect((await get("/checkout/thank-you/1001?key=wrong")).status).toBe(302);
    expect(await (await get("/checkout/thank-you/1001?key=key-of-1001")).text()).toContain(
      "Thank you, Ann!",
    );
  });
});

describe("customer account", () => {
  it("sends strangers to sign in and back", async () => {
    expect((await get("/account/orders/1001")).headers.get("Location")).toBe(
      "/account/login?return=%2Faccount%2Forders%2F1001",
    );
    await send("/account/login", { email: "ann@example.com" });
    const response = await send("/account/login/code", {
      email: "ann@example.com",
      code: "123456",
      return: "https://evil.example/",
    });
    expect(response.headers.get("Location")).toBe("/account/orders");
  });
  it("refuses a wrong code", async () => {
    await send("/account/login", { email: "ann@example.com" });
    const response = await send("/account/login/code", {
      email: "ann@example.com",
      code: "999999",
    });
    expect(response.status).toBe(422);
    expect(cookieOf(response)).toBe("");
  });
  it("shows an order to its customer, by its link, and to nobody else", async () => {
    await buy();
    const ann = await signIn();
    const bob = await signIn("bob@example.com");
    expect(await (await get("/account/orders/1001", { Cookie: ann })).text()).toContain(
      "1 High St",
    );
    const byLink = await (await get("/account/orders/1001?key=key-of-1001")).text();
    expect(byLink).toContain("Iron Studies");
    expect(byLink).not.toContain("1 High St");
    expect((await get("/account/orders/1001", { Cookie: bob })).status).toBe(404);
    expect((await get("/account/orders/1001?key=wrong", { Cookie: bob })).status).toBe(404);
  });
  it("mints tokens with a subject for the signed-in customer only", async () => {
    await buy();
    const ask = (body: unknown, headers: Record<string, string> = {}) =>
      fetch(`${web.origin}/account/api/session-token`, {
        method: "POST",
        headers: { "Content-Type": "application/json", ...headers },
        body: JSON.stringify(body),
      });
    const order = { orderId: "gid://shopify/Order/1001" };
    expect((await ask(order)).status).toBe(401);
    expect((await ask({ ...order, key: "wrong" })).status).toBe(401);
    expect(await (await ask({ ...order, key: "key-of-1001" })).json()).toEqual({
      token: "customer-token-of-nobody",
    });
    const id = store.state.customers[0]?.id;
    expect(await (await ask(order, { Cookie: await signIn() })).json()).toEqual({
      token: `customer-token-of-${id}`,
    });
    expect((await ask(order, { "Sec-Fetch-Site": "cross-site" })).status).toBe(403);
  });
});

describe("extensions", () => {
  const target = "customer-account.order-status.block.render";
  const extensionsDir = () => join(folder, "extensions");

  it("hosts what is built, and says how to build what is not", async () => {
    await writeExtension(extensionsDir(), {
      handle: "block",
      target,
      source: "export default () => {}",
    });
    await buy();
    const Cookie = await signIn();
    const page = await (await get("/account/orders/1001", { Cookie })).text();
    const json = /id="extension-0">(.*?)<\/script>/.exec(page)?.[1] ?? "{}";
    expect(JSON.parse(json)).toMatchObject({
      description: {
        target,
        scriptUrl: "/web-assets/extensions/block.js",
        data: { signals: { order: { name: "#1001" }, authenticationState: "fully_authenticated" } },
      },
    });
    expect((await get("/web-assets/extensions/block.js")).status).toBe(200);
    await rm(join(extensionsDir(), "block/dist"), { recursive: true });
    expect(await (await get("/account/orders/1001", { Cookie })).text()).toContain("npm run build");
  });
  it("tells a reader of the status link nothing personal", async () => {
    await writeExtension(extensionsDir(), {
      handle: "block",
      target,
      source: "export default () => {}",
    });
    await buy();
    const page = await (await get("/account/orders/1001?key=key-of-1001")).text();
    const data = JSON.parse(/id="extension-0">(.*?)<\/script>/.exec(page)?.[1] ?? "{}");
    expect(data.description.data.signals.authenticationState).toBe("pre_authenticated");
    expect(JSON.stringify(data.description.data)).not.toContain("ann@example.com");
    expect(JSON.stringify(data.description.data)).not.toContain("High St");
  });
  it("hosts none while the app is not installed or accounts are legacy", async () => {
    await writeExtension(extensionsDir(), {
      handle: "block",
      target,
      source: "export default () => {}",
    });
    await buy();
    const Cookie = await signIn();
    const shown = async () =>
      (await (await get("/account/orders/1001", { Cookie })).text()).includes("data-extension");
    expect(await shown()).toBe(true);
    store.state.installed = false;
    expect(await shown()).toBe(false);
    store.state.installed = true;
    store.state.accounts = "legacy";
    expect(await shown()).toBe(false);
  });
});

describe("app proxy", () => {
  it("hands requests on with Shopify's parameters, a signature and no cookies", async () => {
    const seen: { url: string; cookie: string | undefined; body: string }[] = [];
    const app = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk) => {
        body += chunk;
      });
      request.on("end", () => {
        seen.push({ url: request.url ?? "", cookie: request.headers.cookie, body });
        response.setHeader(
          "Content-Type",
          request.url?.includes("liquid") ? "application/liquid" : "text/plain",
        );
        response.setHeader("Set-Cookie", "a=b");
        response.end("At {{ shop.name }}");
      });
    });
    await new Promise<void>((resolve) => app.listen(0, "127.0.0.1", resolve));
    try {
      const address = app.address();
      if (address === null || typeof address === "string") throw new Error("No port");
      store.facts.app.url = `http://127.0.0.1:${address.port}`;
      const Cookie = await signIn();
      const response = await send("/apps/sample/patient?a=1&a=2", { name: "x" }, { Cookie });
      expect(await response.text()).toBe("At {{ shop.name }}");
      expect(response.headers.getSetCookie()).toEqual([]);
      const url = new URL(seen[0]?.url ?? "", "http://app");
      expect(url.pathname).toBe("/proxy/patient");
      expect(Object.fromEntries(url.searchParams)).toMatchObject({
        a: "1,2",
        shop: "example.myshopify.com",
        logged_in_customer_id: "1",
        path_prefix: "/apps/sample",
        signature: "signed:a,logged_in_customer_id,path_prefix,shop,timestamp",
      });
      expect(seen[0]).toMatchObject({ cookie: undefined, body: "name=x" });
      expect(await (await get("/apps/sample/liquid")).text()).toContain("At Example Pathology");
      expect(
        new URL(seen[1]?.url ?? "", "http://app").searchParams.get("logged_in_customer_id"),
      ).toBe("");
    } finally {
      app.close();
    }
  });
});

describe("admin", () => {
  it("opens the app's page that the address names, with Shopify's parameters", async () => {
    store.facts.app.url = "http://127.0.0.1:3999";
    const page = await (await get("/admin-ui/store/example/apps/sample/app/settings?tab=2")).text();
    const data = JSON.parse(/id="frame-data">(.*?)<\/script>/.exec(page)?.[1] ?? "{}");
    const source = new URL(data.source);
    expect(source.pathname).toBe("/app/settings");
    expect(Object.fromEntries(source.searchParams)).toMatchObject({
      tab: "2",
      embedded: "1",
      shop: "example.myshopify.com",
      id_token: "launch-token",
    });
  });
  it("offers the installation first", async () => {
    store.facts.app.url = "http://127.0.0.1:3999";
    store.state.installed = false;
    expect(await (await get("/admin-ui/store/example/apps/sample")).text()).toContain(
      "Install Sample?",
    );
    await send("/admin-ui/install", {});
    expect(store.state.installed).toBe(true);
  });
  it("mints tokens for its own pages only", async () => {
    const ask = (site: string) =>
      fetch(`${web.origin}/admin-ui/api/session-token`, {
        method: "POST",
        headers: { "Sec-Fetch-Site": site },
      });
    expect(await (await ask("same-origin")).json()).toEqual({ token: "admin-token" });
    expect((await ask("cross-site")).status).toBe(403);
    expect((await ask("same-site")).status).toBe(403);
  });
});

describe("inbox and deliveries", () => {
  it("shows mails with their links, and HTML without its scripts' power", async () => {
    await send("/account/login", { email: "ann@example.com" });
    expect(await (await get("/sandbox/mail")).text()).toContain("Your code");
    const page = await (await get("/sandbox/mail/1")).text();
    expect(page).toContain('<a href="https://example.com/help">https://example.com/help</a>.');
    const [mail] = store.state.mails;
    if (mail) mail.html = "<script>alert(1)</script><p>Hi</p>";
    const frame = await get("/sandbox/mail/1/html");
    expect(frame.headers.get("Content-Security-Policy")).toMatch(
      /default-src 'none'.*sandbox allow-popups/,
    );
  });
  it("shows a delivery and sends it again", async () => {
    store.state.deliveries.push({
      id: "d1",
      topic: "orders/paid",
      url: "http://app/webhooks",
      status: 503,
      nextAttemptAt: "2026-11-20T10:01:00Z",
      attempts: [{ at: "2026-11-20T10:00:00Z", status: 503, ms: 12.4, error: null }],
      triggeredAt: "2026-11-20T10:00:00Z",
      headers: { "X-Shopify-Topic": "orders/paid" },
      payload: '{"id":1}',
    });
    expect(await (await get("/sandbox/webhooks")).text()).toContain("Will retry");
    await send("/sandbox/webhooks/d1/redeliver", {});
    const page = await (await get("/sandbox/webhooks/d1")).text();
    expect(page).toContain("2 attempts");
    expect(page).toContain("&quot;id&quot;: 1");
  });
});
