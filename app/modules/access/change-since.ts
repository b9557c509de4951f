import type { BiomarkerView, ResultView } from "./open-result.ts";

/** How a number stands to the same person's one before it, in the same unit. */
export type Change = "higher" | "lower" | "same";

/** "<0.1" says no more than where the measuring ended: against it nothing is higher or lower. */
const PLAIN = /^\s*-?\d+(\.\d+)?\s*$/;

/** Compares two values of one unit; null unless both are plain numbers. */
export function changeSince(value: string, before: string): Change | null {
  if (!PLAIN.test(value) || !PLAIN.test(before)) return null;
  const difference = Number(value) - Number(before);
  return difference > 0 ? "higher" : difference < 0 ? "lower" : "same";
}

/** How a value stands to the last one before it. Beside what needs a doctor nothing is said that could calm or frighten. */
export function changeSinceLast(
  { value, history }: Pick<BiomarkerView, "value" | "history">,
  { alert }: Pick<ResultView, "alert">,
): Change | null {
  const last = history.at(-1);
  return last && !alert ? changeSince(value, last.value) : null;
}
