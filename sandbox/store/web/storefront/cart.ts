import type { Request, Response } from "express";
import { z } from "zod";
import { readCookie, writeCookie } from "../cookies.ts";
import { numericId } from "../format.ts";
import type { StoreProduct, StoreVariant } from "../ports.ts";

const COOKIE = "sandbox_cart";
const MAX_QUANTITY = 50;
/** Numeric variant id → quantity. */
const cartCookie = z.record(z.string().regex(/^\d+$/), z.number().int().min(1).max(MAX_QUANTITY));
export type Cart = z.infer<typeof cartCookie>;

export interface CartLine {
  product: StoreProduct;
  variant: StoreVariant;
  quantity: number;
  totalCents: number;
}

/** The cart lives in the shopper's cookie; an unreadable one is an empty cart. */
export function readCart(request: Request): Cart {
  try {
    return cartCookie.parse(JSON.parse(readCookie(request, COOKIE) ?? "{}"));
  } catch {
    return {};
  }
}

export function writeCart(response: Response, cart: Cart): void {
  writeCookie(response, COOKIE, JSON.stringify(cart));
}

/** Sets the quantity of a variant; 0 takes it out. */
export function withQuantity(cart: Cart, variantId: string, quantity: number): Cart {
  const { [variantId]: _, ...rest } = cart;
  const kept = Math.min(MAX_QUANTITY, Math.max(0, Math.floor(quantity)));
  return kept > 0 ? { ...rest, [variantId]: kept } : rest;
}

/** Lines whose product is still sold, in the catalogue's order. */
export function cartLines(cart: Cart, products: StoreProduct[]): CartLine[] {
  return products
    .filter((product) => product.status === "ACTIVE")
    .flatMap((product) =>
      product.variants.flatMap((variant) => {
        const quantity = cart[numericId(variant.id)];
        if (!quantity) return [];
        return [{ product, variant, quantity, totalCents: variant.priceCents * quantity }];
      }),
    );
}

export function cartCount(cart: Cart): number {
  return Object.values(cart).reduce((sum, quantity) => sum + quantity, 0);
}

export function cartTotalCents(lines: CartLine[]): number {
  return lines.reduce((sum, line) => sum + line.totalCents, 0);
}

/** The variant's title, unless it is the one that Shopify gives to products without variants. */
export function variantTitle(variant: StoreVariant): string | null {
  return variant.title === "Default Title" ? null : variant.title;
}
