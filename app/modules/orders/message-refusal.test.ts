import { describe, expect, test } from "vitest";
import { gid } from "../kernel/ids.ts";
import { isDestructive, messageRefusal } from "./message-refusal.ts";
import type { StoreMessage } from "./store-message.ts";

const SHOP = "one.myshopify.com";
const RECEIVED = new Date("2026-11-20T12:00:00Z");
const SECOND = 1_000;
const STORE = "gid://shopify/Shop/1";
const stated = { statedShop: SHOP };
const whom = { customerId: null, orderIds: [] };
const merged: StoreMessage = {
  kind: "customer_merged",
  from: gid("Customer", 1),
  into: gid("Customer", 2),
};
const DESTRUCTIVE: StoreMessage[] = [
  merged,
  { kind: "uninstalled", ...stated },
  { kind: "customer_data_requested", ...stated, ...whom },
  { kind: "customer_redacted", ...stated, ...whom },
  { kind: "shop_redacted", statedStoreId: STORE, ...stated },
];
const HARMLESS: StoreMessage[] = [
  { kind: "order_changed", orderId: gid("Order", 1) },
  { kind: "product_changed", productId: gid("Product", 1) },
  { kind: "noted" },
  { kind: "unreadable" },
];

const refused = (message: StoreMessage, triggeredAt: Date | null = RECEIVED) =>
  messageRefusal(message, { shop: SHOP, storeId: STORE, triggeredAt, receivedAt: RECEIVED });
const ago = (ms: number) => new Date(RECEIVED.getTime() - ms);

describe.each(DESTRUCTIVE)("a message that $kind", (message) => {
  test("is acted on when it has just been sent", () => {
    expect(isDestructive(message)).toBe(true);
    expect(refused(message)).toBeNull();
  });

  test("is refused without a time", () => {
    expect(refused(message, null)).toBe("no_time");
  });

  test("is refused once it is older than six hours", () => {
    expect(refused(message, ago(6 * 3_600 * SECOND))).toBeNull();
    expect(refused(message, ago(6 * 3_600 * SECOND + 1))).toBe("too_old");
  });

  test("is refused when it is more than five minutes ahead", () => {
    expect(refused(message, ago(-300 * SECOND))).toBeNull();
    expect(refused(message, ago(-300 * SECOND - 1))).toBe("from_the_future");
  });
});

test.each(DESTRUCTIVE.filter((message) => "statedShop" in message))(
  "refuses a message that $kind when its body names another shop, or none",
  (message) => {
    expect(refused({ ...message, statedShop: "two.myshopify.com" } as StoreMessage)).toBe(
      "other_shop",
    );
    expect(refused({ ...message, statedShop: null } as StoreMessage)).toBe("other_shop");
  },
);

describe("a message that the data of a shop is to go", () => {
  const message = {
    kind: "shop_redacted",
    statedStoreId: "gid://shopify/Shop/2",
    ...stated,
  } as const;

  test("is refused when another store of that name had the app", () => {
    expect(refused(message)).toBe("other_store");
  });

  test("is acted on where the store's id was never read", () => {
    const told = {
      shop: SHOP,
      storeId: null,
      triggeredAt: RECEIVED,
      receivedAt: RECEIVED,
    } as const;
    expect(messageRefusal(message, told)).toBeNull();
  });
});

test("takes the shop's name in any case", () => {
  expect(refused({ kind: "uninstalled", statedShop: "ONE.myshopify.com" })).toBeNull();
});

test.each(HARMLESS)("acts on a message that $kind, whatever its time", (message) => {
  expect(isDestructive(message)).toBe(false);
  expect(refused(message, null)).toBeNull();
  expect(refused(message, ago(99 * 3_600 * SECOND))).toBeNull();
});
