import { expect, test } from "vitest";
import { hasTests, orderPlace } from "./order-place.ts";

const entry = (type: string, key: string) => ({ target: { type }, metafield: { key } });

test("knows an order of tests by the metafield of a product", () => {
  expect(hasTests([entry("product", "other"), entry("product", "pathway")])).toBe(true);
  expect(hasTests([])).toBe(false);
  expect(hasTests([entry("customer", "pathway"), entry("product", "other")])).toBe(false);
});

test.each(["gid://shopify/Order/42", "gid://shopify/OrderIdentity/42"])(
  "leads to the page of %s in the customer account",
  (orderId) => {
    expect(orderPlace("gid://shopify/Shop/7", orderId)).toBe(
      "https://shopify.com/7/account/orders/42",
    );
  },
);
