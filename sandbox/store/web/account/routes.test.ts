import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { cookieOf, startVisit, type Visit } from "../testing/visit.ts";

let visit: Visit;
beforeEach(async () => {
  visit = await startVisit();
});
afterEach(() => visit.end());

describe("customer account", () => {
  it("sends strangers to sign in and back", async () => {
    expect((await visit.get("/account/orders/1001")).headers.get("Location")).toBe(
      "/account/login?return=%2Faccount%2Forders%2F1001",
    );
    await visit.send("/account/login", { email: "ann@example.com" });
    const response = await visit.send("/account/login/code", {
      email: "ann@example.com",
      code: "123456",
      return: "https://evil.example/",
    });
    expect(response.headers.get("Location")).toBe("/account/orders");
  });
  it("refuses a wrong code", async () => {
    await visit.send("/account/login", { email: "ann@example.com" });
    const response = await visit.send("/account/login/code", {
      email: "ann@example.com",
      code: "999999",
    });
    expect(response.status).toBe(422);
    expect(cookieOf(response)).toBe("");
  });
  it("shows an order to its customer, by its link, and to nobody else", async () => {
    await visit.buy();
    const ann = await visit.signIn();
    const bob = await visit.signIn("bob@example.com");
    expect(await (await visit.get("/account/orders/1001", { Cookie: ann })).text()).toContain(
      "1 High St",
    );
    const byLink = await (await visit.get("/account/orders/1001?key=key-of-1001")).text();
    expect(byLink).toContain("Iron Studies");
    expect(byLink).not.toContain("1 High St");
    expect((await visit.get("/account/orders/1001", { Cookie: bob })).status).toBe(404);
    expect((await visit.get("/account/orders/1001?key=wrong", { Cookie: bob })).status).toBe(404);
  });
  it("is a page of the theme with legacy accounts, and leads to the app's proxy page", async () => {
    await visit.buy();
    const Cookie = await visit.signIn();
    const page = async (path: string) => (await visit.get(path, { Cookie })).text();
    expect(await page("/account/orders/1001")).not.toContain("store-header");
    visit.store.state.accounts = "legacy";
    for (const path of ["/account/orders", "/account/orders/1001", "/account/profile"]) {
      const classic = await page(path);
      expect(classic).toContain('class="store-header"');
      expect(classic).toContain('href="/apps/sample"');
      expect(classic).not.toMatch(/extension-host|\/account\/pages\//);
    }
  });
  it("mints tokens with a subject for the signed-in customer only", async () => {
    await visit.buy();
    const ask = (body: unknown, headers: Record<string, string> = {}) =>
      fetch(`${visit.web.origin}/account/api/session-token`, {
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
    const id = visit.store.state.customers[0]?.id;
    expect(await (await ask(order, { Cookie: await visit.signIn() })).json()).toEqual({
      token: `customer-token-of-${id}`,
    });
    expect((await ask(order, { "Sec-Fetch-Site": "cross-site" })).status).toBe(403);
  });
});
