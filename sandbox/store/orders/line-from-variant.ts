import type { Platform } from "../platform.ts";
import { findVariant } from "../products/find-variant.ts";
import { Refusal } from "../refusal.ts";
import { nextId } from "../state/next-id.ts";
import type { OrderLineRecord } from "../state/order.ts";
import type { ShopDocument } from "../state/shop.ts";

/** An order line for so many units of a variant, at today's price and under today's names. */
export function lineFromVariant(
  platform: Platform,
  shop: ShopDocument,
  input: { variantId: number; quantity: number; properties?: { key: string; value: string }[] },
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
