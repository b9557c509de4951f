/** Times of one entry of a list of the service, in milliseconds; NaN when one is missing. */
export interface Times {
  createdAt: number;
  updatedAt: number;
}

const KEYS = ["createdAt", "updatedAt"] as const;

/**
 * Counts entries in a row that are older than a moment and go on falling. The interface says that a list is sorted, not by what
 * (§4.2): neither by creation nor by last change can what is newer come after those that were last touched before it. A list that
 * is sorted otherwise, or begins with its oldest, does not fall, and its old entries say nothing about what follows them.
 */
export function olderInARow(oldest: number): (entry: Times) => number {
  let last: Times | null = null;
  let row = { createdAt: 0, updatedAt: 0 };
  return (entry) => {
    const touchedAt = Math.max(entry.createdAt, entry.updatedAt);
    if (touchedAt >= oldest) {
      last = null;
      row = { createdAt: 0, updatedAt: 0 };
    } else if (touchedAt < oldest) {
      for (const key of KEYS) {
        // Those of one moment prove no order, and disprove none.
        const falls = last === null ? 1 : Math.sign(last[key] - entry[key]);
        row[key] = falls < 0 ? 1 : row[key] + falls;
      }
      last = entry;
    }
    return Math.max(row.createdAt, row.updatedAt);
  };
}

/** Whether a page falls by either time, so that what follows it is older still. One moment for all of them proves no order. */
export const isNewestFirst = (entries: readonly Times[]): boolean =>
  KEYS.some((key) => {
    const times = entries.map((entry) => entry[key]);
    const isRisen = times.some((time, at) => time > (times[at - 1] ?? Number.POSITIVE_INFINITY));
    return !isRisen && (times[0] ?? 0) > (times.at(-1) ?? 0);
  });
