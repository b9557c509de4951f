import fc from "fast-check";
import { expect, test } from "vitest";
import { gid, type ShopDomain } from "../kernel/ids.ts";
import { readReferenceNumber, referenceNumber } from "./reference-number.ts";

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

test("is known by its form, of whatever shop", () => {
  expect(readReferenceNumber(referenceNumber(fact))).toBe(referenceNumber(fact));
  expect(readReferenceNumber("PW1-X8RCN6C051C0")).toBe("PW1-X8RCN6C051C0");
  expect(readReferenceNumber(" pw1-x8rcn6c051c0\n")).toBe("PW1-X8RCN6C051C0");
  expect(readReferenceNumber(`PW${"1".repeat(20)}-X8RCN6C051C0`)).toBe(
    `PW${"1".repeat(20)}-X8RCN6C051C0`,
  );
});

test.each([
  ...["", "1001", "PW-X8RCN6C051C0", "PWx-X8RCN6C051C0", `PW${"1".repeat(21)}-X8RCN6C051C0`],
  ...["PW1-X8RCN6C051C", "PW1-X8RCN6C051C00", "PW1-X8RCN6C051CU"],
  ...["xPW1-X8RCN6C051C0", "PW1-X8RCN6C051C0x"],
])("takes %j for none of ours", (text) => {
  expect(readReferenceNumber(text)).toBeNull();
});
