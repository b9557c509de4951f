import { type FlagWord, flagOf, isBeyond } from "./range.ts";

interface Measured {
  value: string;
  isAbnormal: boolean;
  rangeLow: number | null;
  rangeHigh: number | null;
}

export interface ArrangedCategory<T> {
  id: string;
  name: string;
  biomarkers: T[];
  /** How many of them the laboratory flagged. */
  outside: number;
  /** What its line says: a number that are flagged, that all are in range, or only how many there are. */
  says: "outside" | "in_range" | "number";
}

type Alert = { level: string; count: number } | null;

/**
 * The sequence in which a result is read: what the laboratory flagged first, with where it belongs, then every
 * category, of which those without a flag can stay closed.
 */
export function arrangeResult<T extends Measured>(
  categories: { id: string; name: string; biomarkers: T[] }[],
  alert: Alert,
): {
  outside: { biomarker: T; category: string }[];
  categories: ArrangedCategory<T>[];
  isUnclear: boolean;
} {
  const flagged = (biomarkers: T[]) => biomarkers.filter(({ isAbnormal }) => isAbnormal).length;
  const isUnclear = hidesCritical(
    alert,
    categories.reduce((sum, { biomarkers }) => sum + flagged(biomarkers), 0),
  );
  const arranged = categories.map((category): ArrangedCategory<T> => {
    const outside = flagged(category.biomarkers);
    const isVague = isUnclear || category.biomarkers.some(isOutsideUnflagged);
    return {
      ...category,
      outside,
      says: outside > 0 ? "outside" : isVague ? "number" : "in_range",
    };
  });
  return {
    isUnclear,
    outside: arranged.flatMap(({ name, biomarkers }) =>
      biomarkers.flatMap((biomarker) =>
        biomarker.isAbnormal ? [{ biomarker, category: name }] : [],
      ),
    ),
    categories: arranged,
  };
}

/**
 * Whether the laboratory counted more critical results than it flagged: then any value may be one (the service says how many,
 * not which), and nothing is said of the others that could calm.
 */
const hidesCritical = (alert: Alert, flagged: number): boolean =>
  alert?.level === "critical" && flagged < alert.count;

/** A number beyond its range that the laboratory does not flag: nobody says that it is in range. */
const isOutsideUnflagged = (biomarker: Measured): boolean =>
  !biomarker.isAbnormal &&
  isBeyond(biomarker.value, { low: biomarker.rangeLow, high: biomarker.rangeHigh });

/** Chooses the words that say how a value is to be taken; never colour alone. */
export const flagKey = (
  biomarker: Measured,
  isUnclear = false,
): `flag.${FlagWord}` | "flag.see_report" =>
  isUnclear && !biomarker.isAbnormal ? "flag.see_report" : `flag.${flagOf(biomarker)}`;
