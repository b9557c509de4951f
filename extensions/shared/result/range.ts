/** A reference interval; null is an open end. */
export interface Range {
  low: number | null;
  high: number | null;
}

export type Zone = "below" | "within" | "above";

/** Where a value lies, in hundredths of the drawn bar, and how the bar is divided. */
export interface Placement {
  zone: Zone;
  /** 0 to 100, from the left edge; values off the bar stand at its edge. */
  valuePercent: number;
  /** Where the interval begins and ends on the bar. */
  lowPercent: number;
  highPercent: number;
}

/** The number in a laboratory's value: "4.2", "<0.1" and ">90" have one, "Not detected" and "1:40" have none. */
export function numberIn(value: string): number | null {
  const digits = /^\s*[<>≤≥]?=?\s*(-?\d+(?:\.\d+)?)\s*$/.exec(value)?.[1];
  return digits === undefined ? null : Number(digits);
}

export function zoneOf(value: number, { low, high }: Range): Zone {
  if (low !== null && value < low) return "below";
  if (high !== null && value > high) return "above";
  return "within";
}

/**
 * Lays a value and its interval out on a bar. A closed interval takes the middle half. An interval open on one side
 * takes that side's two thirds. null when there is no number or no interval to draw.
 */
export function placeInRange(value: string, range: Range): Placement | null {
  const found = numberIn(value);
  const { low, high } = range;
  if (found === null || (low === null && high === null)) return null;
  const span = low !== null && high !== null ? high - low : Math.abs(low ?? high ?? 0);
  if (!(span > 0)) return null;

  const start = low === null ? (high ?? 0) - span : low - span / 2;
  const end = high === null ? (low ?? 0) + span : high + span / 2;
  const percent = (at: number) => Math.min(100, Math.max(0, ((at - start) / (end - start)) * 100));
  return {
    zone: zoneOf(found, range),
    valuePercent: percent(found),
    lowPercent: low === null ? 0 : percent(low),
    highPercent: high === null ? 100 : percent(high),
  };
}

/**
 * The words about a value. The laboratory's flag decides whether there are any; the numbers only say on which side.
 */
export type FlagWord = "high" | "low" | "abnormal" | "within" | "unflagged";

export function flagOf(biomarker: {
  value: string;
  isAbnormal: boolean;
  rangeLow: number | null;
  rangeHigh: number | null;
}): FlagWord {
  const range = { low: biomarker.rangeLow, high: biomarker.rangeHigh };
  const found = numberIn(biomarker.value);
  const zone =
    found === null || (range.low === null && range.high === null) ? null : zoneOf(found, range);
  if (biomarker.isAbnormal)
    return zone === "above" ? "high" : zone === "below" ? "low" : "abnormal";
  return zone === "within" ? "within" : "unflagged";
}
