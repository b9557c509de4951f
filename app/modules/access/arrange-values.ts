import type { FlagWord } from "../../../extensions/shared/result/flag-words.ts";

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
/** The service's own counts (interface §2.2). */
type Summary =
  | { normal: number; abnormal: number; critical: number; total: number }
  | null
  | undefined;

/** How often each word stands beside a value. Flagged ones are "outside". */
export type FlagCounts = Record<"outside" | "within" | "unflagged" | "see_report", number>;

/**
 * The sequence in which a result is read: what the laboratory flagged first, with where it belongs, then every
 * category, of which those without a flag can stay closed.
 */
export function arrangeResult<T extends { isAbnormal: boolean }>(
  categories: { id: string; name: string; biomarkers: T[] }[],
  { alert, summary }: { alert?: Alert; summary?: Summary },
  flagOf: (biomarker: T) => FlagWord,
): {
  outside: { biomarker: T; category: string }[];
  categories: ArrangedCategory<T>[];
  /** The marks do not say which values the service counts as critical, or as outside their range. Null when they do. */
  unclear: "critical" | "outside" | null;
  /** More values are flagged than are critical, and nothing says which of them those are. */
  isCriticalUnnamed: boolean;
  counts: FlagCounts;
  /** Whether the one flagged value is a number beyond its range, as one of many values of healthy people is. */
  isOneNumber: boolean;
} {
  const outside = categories.flatMap(({ name, biomarkers }) =>
    biomarkers
      .filter(({ isAbnormal }) => isAbnormal)
      .map((biomarker) => ({ biomarker, category: name })),
  );
  // The service says how many results are critical, not which: any value may be one that is not flagged.
  const critical = alert?.level === "critical" ? alert.count : null;
  const isCriticalUnclear = critical !== null && outside.length < critical;
  const isOutsideUnclear = outside.length < countedOutside(summary);
  const unclear = isCriticalUnclear ? "critical" : isOutsideUnclear ? "outside" : null;
  const counts: FlagCounts = { outside: 0, within: 0, unflagged: 0, see_report: 0 };
  for (const one of categories.flatMap(({ biomarkers }) => biomarkers)) {
    const word = flagOf(one);
    counts[word === "high" || word === "low" || word === "abnormal" ? "outside" : word]++;
  }
  const [only] = outside;
  return {
    outside,
    unclear,
    isCriticalUnnamed: critical !== null && unclear !== "critical" && outside.length > critical,
    counts,
    isOneNumber:
      outside.length === 1 && only !== undefined && flagOf(only.biomarker) !== "abnormal",
    categories: categories.map((category) => {
      const flagged = category.biomarkers.filter(({ isAbnormal }) => isAbnormal).length;
      // A word, or a number that is beyond its range and not flagged, is not said to be in range.
      const isVague =
        unclear !== null || category.biomarkers.some((one) => flagOf(one) !== "within");
      return {
        ...category,
        outside: flagged,
        says: flagged ? "outside" : isVague ? "number" : "in_range",
      };
    }),
  };
}

/**
 * How many values the service counts as not normal. The interface does not say whether a critical one is counted as abnormal
 * too: no more are not normal than all but the normal ones.
 */
export function countedOutside(summary: Summary): number {
  if (!summary) return 0;
  const { normal, abnormal, critical, total } = summary;
  return Math.max(abnormal, critical, Math.min(abnormal + critical, total - normal));
}
