import { expect, it } from "vitest";
import { includeFields, missingFields } from "./include-fields.ts";

const payload = {
  id: 1,
  email: "sam@example.com",
  order_edit: { id: 2, staff_note: "calls at noon" },
  variants: [
    { id: 3, price: "1.00" },
    { id: 4, price: "2.00" },
  ],
};

it("sends the fields that were asked for, at any depth, and nothing else", () => {
  expect(includeFields(payload, ["id", "order_edit.id", "variants.price"])).toEqual({
    id: 1,
    order_edit: { id: 2 },
    variants: [{ price: "1.00" }, { price: "2.00" }],
  });
  expect(includeFields(payload, ["variants", "variants.id"])).toEqual({
    variants: payload.variants,
  });
  expect(includeFields(payload, null)).toBe(payload);
});

it("finds what no payload of the topic has", () => {
  expect(missingFields(payload, ["id", "variants.price", "variants.sku", "name"])).toEqual([
    "variants.sku",
    "name",
  ]);
});
