import { discountCents, lineQuantities, netCents } from "../../orders/amounts.ts";
import { findVariant } from "../../products/find-variant.ts";
import { globalId } from "../../state/global-id.ts";
import type { OrderDocument, OrderLineRecord } from "../../state/order.ts";
import type { Caller } from "../context.ts";
import type { View } from "../view.ts";
import { allocationViews } from "./discount.ts";
import { moneyBag } from "./money.ts";
import { productView, variantView } from "./product.ts";

/** LineItem. Product and variant are null once they were deleted. */
export function lineItemView(caller: Caller, order: OrderDocument, line: OrderLineRecord): View {
  const { data } = caller.platform;
  const quantities = lineQuantities(order, line);
  const unitPrice = moneyBag(line.unitPriceCents, order.currencyCode);
  const { quantity } = line;
  const fullCents = line.unitPriceCents * quantity;
  const money = (cents: number) => moneyBag(cents, order.currencyCode);
  // Shopify counts a code, and what is off the whole order, only after all discounts.
  const isOnLine = (number: number) => {
    const discount = order.discounts?.[number];
    return discount?.target === "line" && discount.code === null;
  };
  const onLineCents = discountCents(line, quantity, isOnLine);
  const each = (cents: number) => (quantity === 0 ? 0 : Math.round(cents / quantity));
  return {
    __typename: "LineItem",
    id: globalId("LineItem", line.id),
    title: line.title,
    name: line.variantTitle ? `${line.title} - ${line.variantTitle}` : line.title,
    variantTitle: line.variantTitle,
    sku: line.sku,
    vendor: line.vendor,
    quantity,
    currentQuantity: quantities.current,
    refundableQuantity: quantities.refundable,
    unfulfilledQuantity: quantities.unfulfilled,
    nonFulfillableQuantity: line.quantity - quantities.unfulfilled - quantities.fulfilled,
    requiresShipping: line.requiresShipping,
    taxable: line.taxable,
    isGiftCard: line.isGiftCard,
    merchantEditable: quantities.fulfilled === 0,
    restockable: false,
    customAttributes: line.customAttributes,
    originalUnitPriceSet: unitPrice,
    discountedUnitPriceSet: money(each(fullCents - onLineCents)),
    discountedUnitPriceAfterAllDiscountsSet: money(each(netCents(line, quantity))),
    originalTotalSet: money(fullCents),
    discountedTotalSet: money(fullCents - onLineCents),
    totalDiscountSet: money(onLineCents),
    discountAllocations: allocationViews(order, line),
    taxLines: [],
    duties: [],
    contract: null,
    lineItemGroup: null,
    sellingPlan: null,
    image: null,
    product: () => {
      const product = line.productId === null ? undefined : data.products.get(line.productId);
      return product ? productView(caller, product) : null;
    },
    variant: () => {
      const found =
        line.variantId === null ? undefined : findVariant(data, order.shop, line.variantId);
      return found ? variantView(caller, found.product, found.variant) : null;
    },
  };
}
