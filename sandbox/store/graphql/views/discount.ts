import { discountCents } from "../../orders/amounts.ts";
import type { DiscountRecord, OrderDocument, OrderLineRecord } from "../../state/order.ts";
import type { View } from "../view.ts";
import { moneyBag, moneyV2 } from "./money.ts";

/** DiscountCodeApplication of what a buyer typed, ManualDiscountApplication of what staff took off. */
export function discountView(order: OrderDocument, discount: DiscountRecord, index: number): View {
  const value =
    discount.valueType === "percentage"
      ? { __typename: "PricingPercentageValue", percentage: discount.value }
      : { __typename: "MoneyV2", ...moneyV2(discount.value, order.currencyCode) };
  const common = {
    index,
    allocationMethod: "ACROSS",
    targetSelection: discount.target === "line" ? "ENTITLED" : "ALL",
    targetType: "LINE_ITEM",
    value,
  };
  return discount.code === null
    ? {
        __typename: "ManualDiscountApplication",
        ...common,
        title: discount.title,
        description: null,
      }
    : { __typename: "DiscountCodeApplication", ...common, code: discount.code };
}

/** DiscountAllocation of a line, for each discount that it got something of. */
export const allocationViews = (order: OrderDocument, line: OrderLineRecord): View[] =>
  (line.discounts ?? []).flatMap(({ discount: number }) => {
    const discount = order.discounts?.[number];
    if (!discount) return [];
    const cents = discountCents(line, line.quantity, (one) => one === number);
    return [
      {
        __typename: "DiscountAllocation",
        allocatedAmountSet: moneyBag(cents, order.currencyCode),
        discountApplication: discountView(order, discount, number),
      },
    ];
  });
