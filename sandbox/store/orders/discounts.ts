import { Refusal } from "../refusal.ts";
import type { DiscountRecord, OrderLineRecord } from "../state/order.ts";
import { netCents } from "./amounts.ts";

export interface NewDiscount {
  /** What the buyer types at checkout; without one, staff took it off. */
  code?: string | null;
  title?: string | null;
  /** Numbers of the lines that it is for, from 0; without them it is for the order. */
  lines?: number[] | null;
  /** One of these two. */
  percentage?: number | null;
  amountCents?: number | null;
}

/**
 * Takes discounts off lines, one after the other, and says what each line got of each. Gift cards are sold at their value.
 * Throws {@link Refusal} for a line that is not there.
 */
export function applyDiscounts(
  lines: OrderLineRecord[],
  wanted: NewDiscount[],
): { lines: OrderLineRecord[]; discounts: DiscountRecord[] } {
  let discounted = lines;
  for (const [number, discount] of wanted.entries()) {
    for (const index of discount.lines ?? [])
      if (!lines[index]) throw new Refusal(422, `the order has no line ${index} to discount`);
    const isFor = (line: OrderLineRecord, index: number) =>
      !line.isGiftCard && (discount.lines?.includes(index) ?? true);
    const prices = discounted.map((line, index) =>
      isFor(line, index) ? netCents(line, line.quantity) : 0,
    );
    const total = prices.reduce((sum, cents) => sum + cents, 0);
    const off = Math.min(
      total,
      discount.amountCents ?? Math.round((total * (discount.percentage ?? 0)) / 100),
    );
    let left = off;
    const last = prices.findLastIndex((cents) => cents > 0);
    discounted = discounted.map((line, index) => {
      const price = prices[index] ?? 0;
      if (price === 0) return line;
      // The last line takes what rounding left over.
      const cents = index === last ? left : Math.round((off * price) / total);
      left -= cents;
      const own = { discount: number, cents, units: line.quantity };
      return { ...line, discounts: [...(line.discounts ?? []), own] };
    });
  }
  return { lines: discounted, discounts: wanted.map(toRecord) };
}

function toRecord(discount: NewDiscount): DiscountRecord {
  const { code = null, title, lines, percentage, amountCents } = discount;
  return {
    code,
    title: title ?? code ?? "Discount",
    target: lines ? "line" : "order",
    ...(amountCents == null
      ? { valueType: "percentage" as const, value: percentage ?? 0 }
      : { valueType: "fixed_amount" as const, value: amountCents }),
  };
}
