import fc from "fast-check";
import { expect, test } from "vitest";
import { gid, type ShopDomain } from "../kernel/ids.ts";
import { referenceNumber } from "./reference-number.ts";

const fact = {
  shop: "one.myshopify.com" as const satisfies ShopDomain,
  orderId: gid("Order", "5012345678901"),
  lineItemId: gid("LineItem", "13012345678901"),
  unit: 1,
  generation: 1,
};

test("is the same for the same fact, in every version of this program", () => {
  expect(referenceNumber(fact)).toBe(referenceNumber({ ...fact }));
  expect(referenceNumber(fact)).toBe("PW5012345678901-X8RCN6C051C0");
});

test("tells the order and can be read out over the telephone", () => {
  expect(referenceNumber(fact)).toMatch(/^PW5012345678901-[0-9A-HJKMNP-TV-Z]{12}$/);
});

test("differs for any two facts", () => {
  const arbitrary = fc.record({
    shop: fc.constantFrom<ShopDomain>("a.myshopify.com", "b.myshopify.com"),
    orderId: fc.integer({ min: 1, max: 30 }).map((n) => gid("Order", n)),
    lineItemId: fc.integer({ min: 1, max: 30 }).map((n) => gid("LineItem", n)),
    unit: fc.integer({ min: 1, max: 30 }),
    generation: fc.integer({ min: 1, max: 5 }),
  });
  const facts = fc.uniqueArray(arbitrary, {
    selector: (one) => JSON.stringify(one),
    maxLength: 60,
  });
  fc.assert(
    fc.property(facts, (all) => {
      expect(new Set(all.map(referenceNumber)).size).toBe(all.length);
    }),
  );
});
