import { saysNothing } from "../finding.ts";
import type { BiomarkerSnapshot, ResultSnapshot } from "../snapshots.ts";

/**
 * Whether something that an earlier reading showed is no longer so: a value or its mark reads otherwise or is gone, or fewer
 * are critical. Values that are added, or come in the place of "Pending", correct nothing.
 */
export function isCorrection(before: ResultSnapshot, now: ResultSnapshot): boolean {
  const left = Map.groupBy(now.biomarkers, figureOf);
  const counts = new Map([...left].map(([figure, ones]) => [figure, ones.length]));
  const isGone = (biomarker: BiomarkerSnapshot) => {
    if (saysNothing(biomarker.value || biomarker.formattedValue)) return false;
    const figure = figureOf(biomarker);
    const count = counts.get(figure) ?? 0;
    counts.set(figure, count - 1);
    return count === 0;
  };
  const critical = ({ biomarkerSummary }: ResultSnapshot) => biomarkerSummary?.critical ?? 0;
  return before.biomarkers.some(isGone) || critical(before) > critical(now);
}

const figureOf = ({ id, value, unit, formattedValue, isAbnormal }: BiomarkerSnapshot): string =>
  JSON.stringify([id, value, unit, formattedValue, isAbnormal]);
