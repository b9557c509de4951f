export function percentile(values: number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return (
    sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN
  );
}

export const rounded = (value: number, digits = 2) => Number(value.toFixed(digits));
