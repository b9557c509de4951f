import { isFinding } from "./finding.ts";
import type { BiomarkerSnapshot, ResultSnapshot } from "./snapshots.ts";

/** The part of a result that a patient must see first. */
export interface ResultAlert {
  level: "critical" | "positive";
  count: number;
}

/**
 * Whether a result needs its patient to act. The service counts critical values and does not say which they are
 * (interface §2.2). A finding in words that the laboratory flagged, such as "Reactive", counts as positive; which
 * word stands there decides nothing by itself, so that a blood group is no alarm. Null when there is neither.
 */
export function alertOf({
  biomarkerSummary,
  biomarkers,
}: Pick<ResultSnapshot, "biomarkerSummary" | "biomarkers">): ResultAlert | null {
  const critical = biomarkerSummary?.critical ?? 0;
  if (critical > 0) return { level: "critical", count: critical };
  const positive = biomarkers.filter(isPositive).length;
  return positive > 0 ? { level: "positive", count: positive } : null;
}

/** Also where the laboratory calls the marker a number: a viral load is "Detected, <20 copies/mL". */
function isPositive({ isAbnormal, value, formattedValue }: BiomarkerSnapshot): boolean {
  return isAbnormal && isFinding(value.trim() || formattedValue);
}
