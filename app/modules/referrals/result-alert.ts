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

const FOUND = /\b(reactive|positive|detected|present|equivocal|indeterminate|borderline)\b/i;
const NOT_FOUND = /\b(non|not|no|negative|absent|nil)\b/i;

function isPositive({ isAbnormal, value, valueType }: BiomarkerSnapshot): boolean {
  const isWord = valueType !== "numeric" && Number.isNaN(Number(value));
  return isAbnormal && isWord && FOUND.test(value) && !NOT_FOUND.test(value);
}
