import type { Interval, NumericBiomarker } from "../catalogue/entries.ts";
import type { Person } from "../referrals/referral.ts";
import type { RangeView } from "./measurement.ts";

/** The primary interval for a person; open on both sides when only additional ranges apply. */
export function intervalFor(biomarker: NumericBiomarker, gender: Person["gender"]): Interval {
  if (Array.isArray(biomarker.range)) return biomarker.range;
  return biomarker.range[gender] ?? [null, null];
}

/** The additional ranges that a report shows for a person, or null when there are none. */
export function additionalRangesFor(
  biomarker: NumericBiomarker,
  gender: Person["gender"],
): RangeView[] | null {
  const { additionalRanges, additionalRangesFor: onlyFor } = biomarker;
  if (!additionalRanges || (onlyFor !== undefined && onlyFor !== gender)) return null;
  return additionalRanges.map(({ id, name, category, range: [lowRange, highRange] }) => ({
    id,
    name,
    category,
    lowRange,
    highRange,
  }));
}

/** Whether a value lies outside an interval; the limits themselves are inside. */
export function isOutside(value: number, [low, high]: Interval): boolean {
  return (low !== null && value < low) || (high !== null && value > high);
}
