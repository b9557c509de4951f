/** How often each operation was called since the start. */
export interface CallCounts {
  count(operation: string): void;
  snapshot(): Record<string, number>;
}

/** Counts calls by "METHOD pattern". */
export function createCallCounts(): CallCounts {
  const counts = new Map<string, number>();
  return {
    count(operation) {
      counts.set(operation, (counts.get(operation) ?? 0) + 1);
    },
    snapshot: () => Object.fromEntries(counts),
  };
}
