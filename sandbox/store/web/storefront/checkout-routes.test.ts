import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { BUYER, cookieOf, startVisit, type Visit } from "../testing/visit.ts";

let visit: Visit;
beforeEach(async () => {
  visit = await startVisit();
});
afterEach(() => visit.end());

describe("checkout", () => {
  it("places an order with what was asked, and empties the cart", async () => {
    const response = await visit.buy();
    expect(response.status).toBe(303);
    expect(response.headers.get("Location")).toBe("/checkout/thank-you/1001?key=key-of-1001");
    expect(visit.store.state.placed).toEqual([
      {
        customerId: null,
        email: "ann@example.com",
        phone: "0400 000 000",
        lines: [{ variantId: "gid://shopify/ProductVariant/10", quantity: 2 }],
        test: false,
        address: {
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
    await visit.buy({ ...BUYER, cardNumber: "1" });
    expect(visit.store.state.placed[0]?.test).toBe(true);
  });
  it("names each wrong field and charges nothing", async () => {
    const response = await visit.buy({ ...BUYER, email: "nobody", zip: "20", cardNumber: "2" });
    expect(response.status).toBe(422);
    const text = await response.text();
    expect(text).toContain("Enter a valid email");
    expect(text).toContain("Enter a valid postcode");
    expect(text).not.toContain("was declined.");
    expect(visit.store.state.placed).toEqual([]);
  });
  it("asks where to deliver only when there is something to deliver, and what that costs", async () => {
    const Cookie = cookieOf(await visit.send("/cart/add", { id: "10", quantity: "2" }));
    const page = async () => (await visit.get("/checkout", { Cookie })).text();
    const digital = await page();
    expect(digital).toContain("<legend>Billing address</legend>");
    expect(digital).not.toMatch(/Delivery|Shipping/);
    expect(digital).toContain("$98.00");
    for (const { variants } of visit.store.state.products)
      for (const variant of variants) variant.requiresShipping = true;
    const parcel = await page();
    expect(parcel).toContain("<legend>Delivery</legend>");
    expect(parcel).toContain("$9.95");
    expect(parcel).toContain("$107.95");
  });
  it("shows the confirmation only to the order's key", async () => {
    await visit.buy();
    expect((await visit.get("/checkout/thank-you/1001?key=wrong")).status).toBe(302);
    expect(await (await visit.get("/checkout/thank-you/1001?key=key-of-1001")).text()).toContain(
      "Thank you, Ann!",
    );
  });
});
