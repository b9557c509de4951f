import { expect, test } from "vitest";
import { buyerOf } from "./buyer.ts";
import { mayStillArrive } from "./order-age.ts";

const signal = <T>(value: T) => ({
  value,
  current: value,
  subscribe: () => () => {},
  destroy: async () => {},
});

test("nothing is known without access to customer data", () => {
  expect(buyerOf({})).toBeNull();
  expect(buyerOf({ shippingAddress: signal(undefined) })).toBeNull();
});

test("the delivery address comes before the billing address", () => {
  expect(
    buyerOf({
      shippingAddress: signal({
        firstName: "Ann",
        address1: "1 High St",
        provinceCode: "VIC",
        zip: "3053",
      }),
      billingAddress: signal({ firstName: "Bob", address1: "2 Low St" }),
    }),
  ).toMatchObject({
    firstName: "Ann",
    lastName: null,
    address: { addressLine1: "1 High St", state: "VIC", postCode: "3053", city: null },
  });
});

test("an address abroad is nobody's place for a collection: Washington is not Western Australia", () => {
  const abroad = {
    address1: "1 Pike St",
    provinceCode: "WA",
    zip: "98101",
    countryCode: "US",
  } as const;
  expect(buyerOf({ shippingAddress: signal({ firstName: "Ann", ...abroad }) })).toMatchObject({
    firstName: "Ann",
    address: null,
  });
  const home = {
    address1: "1 Hay St",
    provinceCode: "WA",
    zip: "6000",
    countryCode: "AU",
  } as const;
  expect(buyerOf({ shippingAddress: signal(home) })?.address?.state).toBe("WA");
});

test("an order without tests keeps its place for the first hour only", () => {
  const now = new Date("2026-11-02T10:00:00Z");
  expect(mayStillArrive("2026-11-02T09:30:00Z", now)).toBe(true);
  expect(mayStillArrive("2026-11-02T08:59:59Z", now)).toBe(false);
  expect(mayStillArrive(undefined, now)).toBe(true);
});
