import type { Platform } from "../platform.ts";
import { findVariant } from "../products/find-variant.ts";
import { Refusal } from "../refusal.ts";
import { nextId } from "../state/next-id.ts";
import type { OrderLineRecord } from "../state/order.ts";
import type { ShopDocument } from "../state/shop.ts";

interface ForBoth {
  quantity: number;
  properties?: { key: string; value: string }[] | undefined;
}

/** Units of a variant, or of something that only this order names and prices. */
export type NewLine = ForBoth & ({ variantId: number } | { title: string; priceCents: number });

/** The order line of either. */
export const newLine = (platform: Platform, shop: ShopDocument, line: NewLine): OrderLineRecord =>
  "variantId" in line ? lineFromVariant(platform, shop, line) : customLine(platform, line);

function customLine(
  platform: Platform,
  { title, priceCents, quantity, properties }: ForBoth & { title: string; priceCents: number },
): OrderLineRecord {
  return {
    id: nextId(platform.data),
    productId: null,
    variantId: null,
    title,
    variantTitle: null,
    sku: null,
    vendor: null,
    quantity,
    removedQuantity: 0,
    unitPriceCents: priceCents,
    requiresShipping: false,
    taxable: true,
    isGiftCard: false,
    weightGrams: 0,
    customAttributes: properties ?? [],
  };
}

/** An order line for so many units of a variant, at today's price and under today's names. */
export function lineFromVariant(
  platform: Platform,
  shop: ShopDocument,
  input: ForBoth & { variantId: number },
): OrderLineRecord {
  const found = findVariant(platform.data, shop.id, input.variantId);
  if (!found) throw new Refusal(404, `there is no variant ${input.variantId}`);
  const { product, variant } = found;
  return {
    id: nextId(platform.data),
    productId: product.id,
    variantId: variant.id,
    title: product.title,
    variantTitle: variant.title === "Default Title" ? null : variant.title,
    sku: variant.sku,
    vendor: product.vendor,
    quantity: input.quantity,
    removedQuantity: 0,
    unitPriceCents: variant.priceCents,
    requiresShipping: variant.requiresShipping,
    taxable: variant.taxable,
    isGiftCard: product.isGiftCard,
    weightGrams: variant.weightGrams,
    customAttributes: input.properties ?? [],
  };
}
