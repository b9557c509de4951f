import { expect, test } from "vitest";
import { orderPlace } from "./order-place.ts";

test.each(["gid://shopify/Order/42", "gid://shopify/OrderIdentity/42"])(
  "leads to the page of %s in the customer account",
  (orderId) => {
    expect(orderPlace("gid://shopify/Shop/7", orderId)).toBe(
      "https://shopify.com/7/account/orders/42",
    );
  },
);
