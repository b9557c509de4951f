import { describe, expect, it } from "vitest";
import { createMemoryStore } from "../testing/memory-store.ts";
import { cartCount, cartLines, cartTotalCents, withQuantity } from "./cart.ts";

describe("cart", () => {
  const { products } = createMemoryStore().state;

  it("sets, raises and removes quantities within bounds", () => {
    let cart = withQuantity({}, "10", 2);
    cart = withQuantity(cart, "21", 1000);
    expect(cart).toEqual({ 10: 2, 21: 50 });
    expect(withQuantity(cart, "10", 0)).toEqual({ 21: 50 });
    expect(withQuantity(cart, "10", -3)).toEqual({ 21: 50 });
    expect(cartCount(cart)).toBe(52);
  });

  it("prices the lines that are still sold", () => {
    const lines = cartLines({ 10: 2, 21: 1, 999: 4 }, products);
    expect(lines.map(({ variant, totalCents }) => [variant.title, totalCents])).toEqual([
      ["Default Title", 9800],
      ["Full panel", 8900],
    ]);
    expect(cartTotalCents(lines)).toBe(18700);
  });

  it("leaves out what is no longer active", () => {
    const archived = products.map((product) => ({ ...product, status: "ARCHIVED" }));
    expect(cartLines({ 10: 1 }, archived)).toEqual([]);
  });
});
