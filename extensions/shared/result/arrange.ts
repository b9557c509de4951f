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
}

/**
 * The sequence in which a result is read: what the laboratory flagged first, with where it belongs, then every
 * category, of which those without a flag can stay closed.
 */
export function arrangeResult<T extends Measured>(
  categories: { id: string; name: string; biomarkers: T[] }[],
): { outside: { biomarker: T; category: string }[]; categories: ArrangedCategory<T>[] } {
  const arranged = categories.map((category) => ({
    ...category,
    outside: category.biomarkers.filter(({ isAbnormal }) => isAbnormal).length,
  }));
  return {
    outside: arranged.flatMap(({ name, biomarkers }) =>
      biomarkers.flatMap((biomarker) =>
        biomarker.isAbnormal ? [{ biomarker, category: name }] : [],
      ),
    ),
    categories: arranged,
  };
}

/** Chooses the words that say how a value is to be taken; never colour alone. */
export const flagKey = (biomarker: Measured): `flag.${FlagWord}` => `flag.${flagOf(biomarker)}`;
