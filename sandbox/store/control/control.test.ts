import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type OpenStore, openStore } from "../testing/open-store.ts";
import { customerId, placeOrder, readOrder, variantId } from "../testing/seeded.ts";

let store: OpenStore;
beforeEach(async () => {
  store = await openStore();
});
afterEach(() => store.close());

describe("the control interface", () => {
  it("needs its token", async () => {
    for (const authorization of ["", "Bearer wrong"]) {
      const response = await fetch(`${store.ready.control_url}/deliveries`, {
        headers: { Authorization: authorization },
      });
      expect(response.status).toBe(401);
      expect(await response.json()).toEqual({ error: expect.any(String) });
    }
  });

  it.each([
    ["POST", "/orders", { lines: [] }, 422],
    ["POST", "/orders", { lines: [{ variantId: 1, quantity: 1 }] }, 404],
    ["POST", "/orders", { lines: [{ variantId: "gid://shopify/Order/1", quantity: 1 }] }, 422],
    ["POST", "/orders/1/refunds", { lines: [] }, 404],
    ["GET", "/orders/1", undefined, 404],
    ["PUT", "/faults", { nonsense: 1 }, 422],
    ["PUT", "/faults", { graphqlStatus: 42 }, 422],
    ["POST", "/clock", { advanceSeconds: -1 }, 422],
    ["POST", "/clock", { advanceSeconds: 1e14 }, 422],
    ["PUT", "/time-zone", { name: "Nowhere/Else" }, 422],
    ["POST", "/products", { title: "Iron", price: "a lot" }, 422],
    ["POST", "/products", { title: "Iron", price: "-5" }, 422],
    ["POST", "/products", { title: "Iron", price: "Infinity" }, 422],
    ["POST", "/orders", { lines: [{ title: "Iron", price: "a lot" }] }, 422],
    ["POST", "/privacy/customers/sell", {}, 404],
    ["POST", "/privacy/customers/redact", {}, 422],
    ["POST", "/unheard-of", {}, 404],
  ])("refuses %s %s %j with %i and a reason", async (method, path, body, status) => {
    expect(await store.control(method, path, body)).toMatchObject({
      status,
      body: { error: expect.stringMatching(/\w/) },
    });
  });

  it.each([null, 0, 200])("takes a fault's status of %s for none", async (graphqlStatus) => {
    const set = await store.ok("PUT", "/faults", { graphqlStatus });
    expect(set).toMatchObject({ graphqlStatus: null });
    expect((await store.graphql("{ shop { name } }")).status).toBe(200);
  });

  it("takes addresses whose mail is refused, and no status that refuses nothing", async () => {
    const mail = { refuse: [{ to: "Mia@example.com" }] };
    expect(await store.ok("PUT", "/faults", { mail })).toMatchObject({
      mail: { refuse: [{ to: "mia@example.com", status: 550, times: true }] },
    });
    for (const one of [{ to: "mia" }, { to: "mia@example.com", status: 250 }])
      expect(await store.control("PUT", "/faults", { mail: { refuse: [one] } })).toMatchObject({
        status: 422,
      });
  });

  it("answers created things whole, with global ids", async () => {
    const product = await store.ok("POST", "/products", {
      title: "Coeliac Screen",
      price: "59.50",
      sku: "COEL",
    });
    expect(product).toMatchObject({
      id: expect.stringMatching(/^gid:\/\/shopify\/Product\//),
      handle: "coeliac-screen",
      variants: [{ id: expect.stringMatching(/ProductVariant/), sku: "COEL", price: "59.50" }],
    });
    const customer = await store.ok("POST", "/customers", {
      firstName: "Ben",
      email: "BEN@example.com",
      address: { address1: "1 High St", city: "Perth", provinceCode: "WA", zip: 6000 },
    });
    expect(customer).toMatchObject({
      id: expect.stringMatching(/^gid:\/\/shopify\/Customer\//),
      email: "ben@example.com",
      defaultAddress: { province: "Western Australia", zip: "6000", countryCode: "AU" },
    });
    const order = await placeOrder(store, { customerId: customer.id });
    expect(await readOrder(store, order.id)).toEqual(order);
    expect(await readOrder(store, order.id.split("/").at(-1) ?? "")).toEqual(order);
    const unencoded = await store.ok("GET", `/orders/${order.id}`);
    expect(unencoded.id).toBe(order.id);
  });

  it("merges customers with their orders", async () => {
    const from = await customerId(store, "liam.oconnor@example.com");
    const into = await customerId(store);
    const order = await placeOrder(store, { customerId: from });
    await store.ok("POST", "/customers/merge", { into, from });
    expect(await readOrder(store, order.id)).toMatchObject({ customerId: into });
    expect(await store.control("GET", `/customers/${encodeURIComponent(from)}`)).toMatchObject({
      status: 404,
    });
  });

  it("makes a guest's new address a customer, and keeps a buyer without one a guest", async () => {
    const lines = [{ variantId: await variantId(store), quantity: 1 }];
    expect(await store.ok("POST", "/orders", { email: "new@example.com", lines })).toMatchObject({
      customerId: expect.stringMatching(/Customer/),
    });
    expect(await store.ok("POST", "/orders", { phone: "+61400000000", lines })).toMatchObject({
      customerId: null,
      email: null,
    });
  });
});

describe("installing", () => {
  it("opens the app as the admin does", async () => {
    expect(await store.ok("POST", "/install")).toEqual({ status: 200, hasToken: false });
    const [opened] = store.app.received;
    const url = new URL(opened?.url ?? "", store.app.url);
    expect(url.pathname).toBe("/app");
    const query = Object.fromEntries(url.searchParams);
    expect(query).toMatchObject({ embedded: "1", shop: store.ready.shop, locale: "en" });
    expect(Buffer.from(query.host ?? "", "base64").toString()).toBe(
      "admin.shopify.com/store/pathway-demo",
    );
    expect(await store.library.utils.validateHmac(query)).toBe(true);
    expect(opened?.headers["user-agent"]).toContain("Chrome");
    await store.library.session.decodeSessionToken(query.id_token ?? "");
  });

  it("reports what the app answered", async () => {
    store.app.answer = () => ({ status: 410 });
    expect(await store.ok("POST", "/install")).toMatchObject({ status: 410 });
    await store.app.stop();
    expect(await store.control("POST", "/install")).toMatchObject({ status: 424 });
  });
});
