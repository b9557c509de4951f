import { expect, test } from "vitest";
import { gid, gidNumber, shopDomain, uuidSchema } from "./ids.ts";

test("reads an id of the kind that is expected, from its number or as a whole", () => {
  for (const value of [7, "7", "gid://shopify/Customer/7"])
    expect(gid("Customer", value)).toBe("gid://shopify/Customer/7");
  expect(gid("Order", "820982911946154508")).toBe("gid://shopify/Order/820982911946154508");
  expect(gidNumber("gid://shopify/Order/1001")).toBe("1001");
});

test.each([
  ...["gid://shopify/Order/7", "gid://shopify/Customer/", "gid://shopify/Customer/7x"],
  ...["gid://shopify/Customer/x7", "7 OR 1=1", "-7", "7.5", "", "xgid://shopify/Customer/7"],
])("takes %j for no customer's id", (value) => {
  expect(() => gid("Customer", value)).toThrow("Not an id of a Customer");
});

test("reads a shop's domain in any case", () => {
  for (const name of ["a", "7", "one-two", `a${"b".repeat(59)}`])
    expect(shopDomain(`${name}.myshopify.com`)).toBe(`${name}.myshopify.com`);
  expect(shopDomain("One.MyShopify.com")).toBe("one.myshopify.com");
});

test.each([
  ...["", "one", ".myshopify.com", "-one.myshopify.com", `a${"b".repeat(60)}.myshopify.com`],
  ...["one.myshopify.com.evil.example", "evil.example/one.myshopify.com", "one.evil.example"],
  ...["one.two.myshopify.com", "one_two.myshopify.com", "onexmyshopify.com", "one.myshopifyxcom"],
  ...[" one.myshopify.com", "one.myshopify.com\n"],
])("takes %j for no shop's domain", (name) => {
  expect(shopDomain(name)).toBeNull();
});

test("writes a UUID in small letters, in whatever case a service told it", () => {
  const id = "0b54c8cc-7b6e-4a8f-9f0e-5d4f3b2a1c0d";
  expect(uuidSchema.parse(id.toUpperCase())).toBe(id);
});
