import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createAdminExecutor } from "../graphql/execute.ts";
import { type OpenStore, openStore } from "../testing/open-store.ts";
import { customerId, placeOrder, variantId } from "../testing/seeded.ts";
import type { CheckoutInput, StorePorts } from "../web/ports.ts";
import { storePorts } from "./store-ports.ts";

let store: OpenStore;
let ports: StorePorts;
beforeEach(async () => {
  // Subscriptions to whole messages: what a checkout makes is to be seen in them.
  store = await openStore({ appConfigPath: "/no/shopify.app.toml" });
  await store.session();
  ports = storePorts(store.platform, createAdminExecutor());
});
afterEach(() => store.close());

describe("the checkout", () => {
  const cart = async (more: Partial<CheckoutInput> = {}): Promise<CheckoutInput> => ({
    customerId: null,
    email: "shopper@example.com",
    phone: null,
    test: false,
    lines: [{ variantId: await variantId(store), quantity: 1 }],
    address: {
      firstName: "Ida",
      lastName: "Frost",
      address1: "3 Elizabeth Street",
      city: "Hobart",
      provinceCode: "TAS",
      zip: "7000",
      countryCode: "AU",
    },
    ...more,
  });

  it("makes a paid order of a new customer, tells the app and confirms by mail", async () => {
    const outcome = await ports.placeOrder(await cart());
    expect(outcome).toMatchObject({
      ok: true,
      order: {
        name: "#1001",
        financialStatus: "PAID",
        totalCents: 13_900,
        statusKey: expect.any(String),
      },
    });
    await store.app.until(() => store.app.webhooks("orders/paid").length === 1);
    expect(JSON.parse(store.app.webhooks("orders/paid")[0]?.body ?? "")).toMatchObject({
      email: "shopper@example.com",
      shipping_address: null,
      shipping_lines: [],
      billing_address: { province: "Tasmania", province_code: "TAS", country_code: "AU" },
      customer: { first_name: "Ida", default_address: { zip: "7000" } },
    });
    expect(await ports.mails()).toMatchObject([
      { to: "shopper@example.com", subject: "Order #1001 confirmed" },
    ]);
  });

  it("charges for delivery what every other order is charged", async () => {
    const swabs = { variantId: await variantId(store, "SWAB-100"), quantity: 2 };
    const outcome = await ports.placeOrder(await cart({ lines: [swabs] }));
    const made = await placeOrder(store, { lines: [swabs] });
    expect(made).toMatchObject({ totalPrice: "34.95" });
    const products = (await ports.products()).flatMap(({ variants }) => variants);
    const shown = await ports.shippingRate(products.filter(({ id }) => id === swabs.variantId));
    expect(shown).toEqual({ title: "Standard", priceCents: 995 });
    expect(outcome).toMatchObject({
      order: {
        totalCents: 3_495,
        shippingCents: 995,
        shippingAddress: { zip: "7000" },
        billingAddress: { zip: "7000" },
      },
    });
  });

  it("names the fields that are wrong and makes no order", async () => {
    const input = await cart({
      email: "nonsense",
      lines: [{ variantId: "gid://shopify/ProductVariant/1", quantity: 1 }],
    });
    const outcome = await ports.placeOrder({
      ...input,
      address: { ...input.address, zip: "70" },
    });
    expect(outcome).toMatchObject({
      ok: false,
      errors: [{ field: "email" }, { field: "zip" }, { field: null }],
    });
    expect(await ports.orders()).toEqual([]);
  });
});

describe("signing in", () => {
  const mailedCode = async () => /\b\d{6}\b/.exec((await ports.mails())[0]?.text ?? "")?.[0] ?? "";

  it("takes the mailed code once", async () => {
    const id = await customerId(store);
    await ports.sendLoginCode("Ava.Nguyen@example.com");
    const code = await mailedCode();
    expect(await ports.redeemLoginCode("ava.nguyen@example.com", code)).toBe(id);
    expect(await ports.redeemLoginCode("ava.nguyen@example.com", code)).toBeNull();
    const session = await ports.startCustomerSession(id);
    expect(await ports.customerOfSession(session)).toBe(id);
    await ports.endCustomerSession(session);
    expect(await ports.customerOfSession(session)).toBeNull();
  });

  it("refuses a guess, the right code after five guesses, and an old code", async () => {
    await ports.sendLoginCode("ava.nguyen@example.com");
    const code = await mailedCode();
    for (let guess = 0; guess < 5; guess += 1) {
      expect(await ports.redeemLoginCode("ava.nguyen@example.com", "no")).toBeNull();
    }
    expect(await ports.redeemLoginCode("ava.nguyen@example.com", code)).toBeNull();
    await ports.sendLoginCode("ava.nguyen@example.com");
    await store.ok("POST", "/clock", { advanceSeconds: 16 * 60 });
    expect(await ports.redeemLoginCode("ava.nguyen@example.com", await mailedCode())).toBeNull();
  });
});

describe("the app proxy", () => {
  it("forwards with a signature that Shopify's library accepts", async () => {
    await fetch(`${store.ready.store_url}/apps/pathway/forms/7?size=A4&page=2&page=3`);
    const [forwarded] = store.app.received;
    const url = new URL(forwarded?.url ?? "", store.app.url);
    expect(url.pathname).toBe("/proxy/forms/7");
    expect(url.searchParams.get("shop")).toBe(store.ready.shop);
    expect(url.searchParams.get("path_prefix")).toBe("/apps/pathway");
    expect(url.searchParams.get("logged_in_customer_id")).toBe("");
    const check = (parameters: URLSearchParams) =>
      store.library.utils.validateHmac(
        Object.fromEntries(
          [...new Set(parameters.keys())].map((key) => [key, parameters.getAll(key).join(",")]),
        ),
        {
          signator: "appProxy",
        },
      );
    expect(await check(url.searchParams)).toBe(true);
    url.searchParams.set("logged_in_customer_id", "1");
    expect(await check(url.searchParams)).toBe(false);
  });
});
