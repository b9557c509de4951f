import { discountCents } from "../../orders/amounts.ts";
import type { DiscountRecord, OrderDocument, OrderLineRecord } from "../../state/order.ts";
import { amount, moneySet } from "./money.ts";

const valueText = ({ valueType, value }: DiscountRecord): string =>
  valueType === "percentage" ? value.toFixed(1) : amount(value);

/** `discount_applications`: each discount once, in the order in which lines name it. */
export const discountApplications = ({ discounts = [] }: OrderDocument) =>
  discounts.map((discount) => ({
    target_type: "line_item",
    type: discount.code === null ? "manual" : "discount_code",
    value: valueText(discount),
    value_type: discount.valueType,
    allocation_method: "across",
    target_selection: discount.target === "line" ? "entitled" : "all",
    ...(discount.code === null
      ? { title: discount.title, description: discount.title }
      : { code: discount.code }),
  }));

/** `discount_codes`: what each code that the buyer typed took off. */
export const discountCodes = (order: OrderDocument) =>
  (order.discounts ?? []).flatMap(({ code, valueType }, number) => {
    if (code === null) return [];
    const cents = order.lines.reduce(
      (sum, line) => sum + discountCents(line, line.quantity, (one) => one === number),
      0,
    );
    return [{ code, amount: amount(cents), type: valueType }];
  });

/** `discount_allocations` of a line. */
export const discountAllocations = (line: OrderLineRecord, currencyCode: string) =>
  (line.discounts ?? []).map(({ discount }) => {
    const cents = discountCents(line, line.quantity, (one) => one === discount);
    return {
      amount: amount(cents),
      amount_set: moneySet(cents, currencyCode),
      discount_application_index: discount,
    };
  });
