import type { Host } from "../host.ts";
import type { Range } from "./placement.ts";

/** Laboratories give up to four decimals; more than six would be noise of binary fractions. */
const MAX_DECIMALS = 6;

/** An interval in words: "3.5 – 5.2 mmol/L", "below 5.5 mmol/L", "above 1.0 mmol/L"; null when it has no ends. */
export function rangeText(
  i18n: Pick<Host["i18n"], "translate" | "formatNumber">,
  { low, high }: Range,
  unit: string | null,
): string | null {
  const number = (value: number) =>
    i18n.formatNumber(value, { maximumFractionDigits: MAX_DECIMALS });
  const withUnit = (text: string) => (unit ? `${text} ${unit}` : text);
  if (low !== null && high !== null)
    return withUnit(i18n.translate("range.between", { low: number(low), high: number(high) }));
  if (high !== null) return withUnit(i18n.translate("range.up_to", { high: number(high) }));
  if (low !== null) return withUnit(i18n.translate("range.from", { low: number(low) }));
  return null;
}
