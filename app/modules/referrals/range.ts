import type { FlagWord } from "../../../extensions/shared/result/flag-words.ts";
import type { Placement, Range, Zone } from "../../../extensions/shared/result/placement.ts";
import { isFinding, saysNothing } from "./finding.ts";

/** The number in a laboratory's value: "4.2", "<0.1" and ">90" have one, "Not detected" and "1:40" have none. */
export function numberIn(value: string): number | null {
  // Trimmed first: two runs of space next to each other would be tried in every way that divides them.
  const digits = /^[<>≤≥]?=?\s*(-?\d+(?:\.\d+)?)$/.exec(value.trim())?.[1];
  return digits === undefined ? null : Number(digits);
}

/** Whether a value lies below, within or above a range. A limit belongs to the range; a missing limit sets none. */
export function zoneOf(value: number, { low, high }: Range): Zone {
  if (low !== null && value < low) return "below";
  if (high !== null && value > high) return "above";
  return "within";
}

/**
 * Lays a value and its interval out on a bar. A closed interval takes the middle half. An interval open on one side
 * takes that side's two thirds. A value of which only one limit is known has no place on it but beyond the interval. null when
 * there is no number, no interval or no place to draw.
 */
export function placeInRange(value: string, range: Range): Placement | null {
  const found = numberIn(value);
  const { low, high } = range;
  if (found === null || (low === null && high === null)) return null;
  const span = low !== null && high !== null ? high - low : Math.abs(low ?? high ?? 0);
  if (!(span > 0)) return null;

  const start = low === null ? (high ?? 0) - span : low - span / 2;
  const end = high === null ? (low ?? 0) + span : high + span / 2;
  const zone = certainZoneOf(value, range);
  const isLimit = /^\s*[<>≤≥]/.test(value);
  if (zone === null || (isLimit && zone === "within")) return null;
  const percent = (at: number) => Math.min(100, Math.max(0, ((at - start) / (end - start)) * 100));
  return {
    zone,
    valuePercent: isLimit ? (zone === "above" ? 100 : 0) : percent(found),
    lowPercent: low === null ? 0 : percent(low),
    highPercent: high === null ? 100 : percent(high),
  };
}

/**
 * Where a laboratory's value certainly lies. "<30" may be anything below 30: within an interval that begins at 15, or beneath
 * it. Null where that cannot be told, and without a number or an interval. Ends that are the wrong way round are none.
 */
function certainZoneOf(value: string, range: Range): Zone | null {
  const found = numberIn(value);
  const { low, high } = range;
  if (found === null || (low === null && high === null)) return null;
  if (low !== null && high !== null && low > high) return null;
  const sign = value.trim()[0] ?? "";
  const isStrict = !/[≤≥=]/.test(value);
  if (sign === "<" || sign === "≤") {
    if (low !== null && (found < low || (isStrict && found === low))) return "below";
    // Nothing that is counted or weighed is less than nothing.
    const isOpen = low === null || low === 0;
    return isOpen && (high === null || found <= high) ? "within" : null;
  }
  if (sign === ">" || sign === "≥") {
    if (high !== null && (found > high || (isStrict && found === high))) return "above";
    return high === null && (low === null || found >= low) ? "within" : null;
  }
  return zoneOf(found, range);
}

/** Whether a value lies beyond its own range, and is not flagged: the interface lets the range decide the flag (§2.3). */
export function contradictsRange(one: {
  value: string;
  isAbnormal: boolean;
  rangeLow: number | null;
  rangeHigh: number | null;
}): boolean {
  const zone = certainZoneOf(one.value, { low: one.rangeLow, high: one.rangeHigh });
  return !one.isAbnormal && (zone === "below" || zone === "above");
}

/** Chooses the words about a value; never colour alone. */
export function flagOf(biomarker: {
  value: string;
  /** Read where the value alone is empty. */
  formattedValue?: string | null;
  isAbnormal: boolean;
  rangeLow: number | null;
  rangeHigh: number | null;
}): FlagWord {
  const range = { low: biomarker.rangeLow, high: biomarker.rangeHigh };
  const zone = certainZoneOf(biomarker.value, range);
  if (biomarker.isAbnormal)
    return zone === "above" ? "high" : zone === "below" ? "low" : "abnormal";
  if (zone !== null) return zone === "within" ? "within" : "see_report";
  const answer = biomarker.value.trim() || (biomarker.formattedValue ?? "");
  return saysNothing(answer) || isFinding(answer) ? "see_report" : "unflagged";
}

/** The same where any value without a flag may be one that the service counts as critical or outside: the report says which. */
export const flagBeside = (
  biomarker: Parameters<typeof flagOf>[0],
  isUnclear: boolean,
): FlagWord => (isUnclear && !biomarker.isAbnormal ? "see_report" : flagOf(biomarker));
