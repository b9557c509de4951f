/** One figure of the quality bars, as bench/results.json keeps it. */
export interface Figure {
  value: number;
  unit: string;
  goal: string;
  met: boolean;
  rounds: Record<string, number>[];
}

export type Figures = Record<string, Figure>;

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low = Number.NaN, high = low] =
    sorted.length % 2 ? [sorted[middle]] : sorted.slice(middle - 1, middle + 1);
  return (low + high) / 2;
}
