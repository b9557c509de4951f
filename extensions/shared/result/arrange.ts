import { type FlagWord, flagOf } from "./range.ts";

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
  /** Its line: how many are flagged, that all are in range, or only how many there are. */
  says: "outside" | "in_range" | "number";
}

type Alert = { level: string; count: number } | null | undefined;

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
  const outside = categories.flatMap(({ name, biomarkers }) =>
    biomarkers
      .filter(({ isAbnormal }) => isAbnormal)
      .map((biomarker) => ({ biomarker, category: name })),
  );
  // The service says how many results are critical, not which: any value may be one that is not flagged.
  const isUnclear = alert?.level === "critical" && outside.length < alert.count;
  return {
    outside,
    isUnclear,
    categories: categories.map((category) => {
      const flagged = category.biomarkers.filter(({ isAbnormal }) => isAbnormal).length;
      // A word, or a number that is beyond its range and not flagged, is not said to be in range.
      const isVague = isUnclear || category.biomarkers.some((one) => flagOf(one) !== "within");
      return {
        ...category,
        outside: flagged,
        says: flagged ? "outside" : isVague ? "number" : "in_range",
      };
    }),
  };
}

/** Chooses the words that say how a value is to be taken; never colour alone. */
export const flagKey = (
  biomarker: Measured,
  isUnclear = false,
): `flag.${FlagWord}` | "flag.see_report" =>
  isUnclear && !biomarker.isAbnormal ? "flag.see_report" : `flag.${flagOf(biomarker)}`;
