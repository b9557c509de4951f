import type { BatchCounts, BatchOutcome, BatchState } from "../kernel/batch.ts";
import type { Tone } from "../kernel/words.ts";
import { countOf } from "../kernel/words.ts";
import type { RunKind } from "./run.ts";

/** The heading of each kind of run. */
export const RUN_TITLES: Record<RunKind, string> = {
  map: "Mapping several variants",
  ignore: "Marking variants as not a test",
  suggest: "Accepting suggestions",
  file: "Mappings from a file",
  copy: "Mappings from staging",
  undo: "Undoing a change of mappings",
};

export const RUN_STATES: Record<BatchState, { name: string; tone: Tone }> = {
  draft: { name: "Not applied yet", tone: "attention" },
  collecting: { name: "Running", tone: "info" },
  running: { name: "Running", tone: "info" },
  done: { name: "Done", tone: "success" },
  cancelled: { name: "Cancelled", tone: undefined },
};

const ROW_OUTCOMES: Record<BatchOutcome | "waiting", { name: string; tone: Tone }> = {
  waiting: { name: "Will change", tone: "info" },
  done: { name: "Changed", tone: "success" },
  nothing_to_do: { name: "No change", tone: undefined },
  refused: { name: "Error", tone: "critical" },
  failed: { name: "Failed; try again", tone: "critical" },
};

/** The outcome of a row. What accepting suggestions refuses is no fault: a person decides about it. */
export function describeOutcome(outcome: BatchOutcome | "waiting", kind: RunKind) {
  if (kind === "undo") return UNDO_OUTCOMES[outcome];
  const isLeftOut = outcome === "refused" && kind === "suggest";
  return isLeftOut ? LEFT_OUT : ROW_OUTCOMES[outcome];
}

const UNDO_OUTCOMES: typeof ROW_OUTCOMES = {
  ...ROW_OUTCOMES,
  waiting: { name: "Will be put back", tone: "info" },
  done: { name: "Put back", tone: "success" },
  nothing_to_do: { name: "Put back already", tone: undefined },
  refused: { name: "Left as it is", tone: "attention" },
};

const LEFT_OUT: { name: string; tone: Tone } = { name: "Left out", tone: "attention" };

/** "120 of 400 done". */
export function describeProgress({ total, waiting }: BatchCounts): string {
  const number = new Intl.NumberFormat("en-AU");
  return `${number.format(total - waiting)} of ${number.format(total)} done`;
}

/** "3 changed, 12 without a change, 1 with an error". */
export function describeCounts(
  { done, nothing_to_do: unchanged, refused, failed, waiting }: BatchCounts,
  { state, kind }: { state: BatchState; kind: RunKind },
): string {
  const parts = [
    waiting > 0 &&
      `${countOf(waiting, "line")} ${state === "cancelled" ? `left as ${waiting === 1 ? "it was" : "they were"}` : "will change"}`,
    done > 0 && `${countOf(done, "variant")} ${kind === "undo" ? "put back" : "changed"}`,
    unchanged > 0 && `${countOf(unchanged, "line")} without a change`,
    refused > 0 &&
      (kind === "undo"
        ? `${countOf(refused, "variant")} left as ${refused === 1 ? "it is" : "they are"}`
        : kind === "suggest"
          ? `${countOf(refused, "variant")} left out, because ${refused === 1 ? "it costs" : "they cost"} more than the price`
          : `${countOf(refused, "line")} with an error`),
    failed > 0 && `${countOf(failed, "line")} failed`,
  ].filter((part) => part !== false);
  return parts.length > 0 ? `${parts.join(", ")}.` : "Nothing to change.";
}
