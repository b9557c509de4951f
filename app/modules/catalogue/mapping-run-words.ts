import type { Tone } from "../kernel/words.ts";
import { countOf } from "../kernel/words.ts";
import type { RowOutcome, RunCounts, RunKind, RunState } from "./run.ts";

/** What a run does, as a heading. */
export const RUN_TITLES: Record<RunKind, string> = {
  map: "Mapping several variants",
  ignore: "Marking variants as not a test",
  suggest: "Accepting suggestions",
  file: "Mappings from a file",
};

export const RUN_STATES: Record<RunState, { name: string; tone: Tone }> = {
  draft: { name: "Not applied yet", tone: "attention" },
  running: { name: "Running", tone: "info" },
  done: { name: "Done", tone: "success" },
  cancelled: { name: "Cancelled", tone: undefined },
};

export const ROW_OUTCOMES: Record<RowOutcome | "open", { name: string; tone: Tone }> = {
  open: { name: "Will change", tone: "info" },
  saved: { name: "Changed", tone: "success" },
  unchanged: { name: "No change", tone: undefined },
  refused: { name: "Error", tone: "critical" },
};

/** "120 of 400 done". */
export function describeProgress({ total, open }: RunCounts): string {
  const number = new Intl.NumberFormat("en-AU");
  return `${number.format(total - open)} of ${number.format(total)} done`;
}

/** "3 changed, 12 without a change, 1 with an error". */
export function describeCounts(
  { saved, unchanged, refused, open }: RunCounts,
  state: RunState,
): string {
  const parts = [
    open > 0 &&
      `${countOf(open, "line")} ${state === "cancelled" ? "left as they were" : "will change"}`,
    saved > 0 && `${countOf(saved, "variant")} changed`,
    unchanged > 0 && `${countOf(unchanged, "line")} without a change`,
    refused > 0 && `${countOf(refused, "line")} with an error`,
  ].filter((part) => part !== false);
  return parts.length > 0 ? `${parts.join(", ")}.` : "Nothing to change.";
}
