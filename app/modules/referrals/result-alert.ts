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
const NOT_FOUND = /\b(non|not|no|none|neither|nor|never|without|negative|absent|nil)\b/i;
/** Ends of the parts of a finding, which may say several things: "A not detected and B detected", "Reactive (not confirmed)". */
const CLAUSE_ENDS = /[,;:.()/\n–—]|\s-\s|\b(?:and|but|however|although)\b/i;

/** Whether a part of the finding says that something is there. A "not" in another part takes nothing from it. */
function isPositive({ isAbnormal, value, valueType }: BiomarkerSnapshot): boolean {
  const isWord = valueType !== "numeric" && Number.isNaN(Number(value));
  const clauses = value.replace(/\bnon\s*-\s*/gi, "non-").split(CLAUSE_ENDS);
  return isAbnormal && isWord && clauses.some((said) => FOUND.test(said) && !NOT_FOUND.test(said));
}
