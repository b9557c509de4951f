import type { ReopenOutcome } from "./reopen-handled.ts";

/** What became of reopening, or of undoing a mark, in a sentence. */
export function describeReopened(outcome: ReopenOutcome): { toast: string; toastIsError: boolean } {
  switch (outcome.kind) {
    case "reopened":
      return { toast: "Reopened: it needs attention again", toastIsError: false };
    case "open_already":
      return { toast: "It’s open already", toastIsError: false };
    case "cause_gone":
      return {
        toast: "It can’t be reopened: it has been settled since, so there is nothing left to do",
        toastIsError: true,
      };
    case "handled_by_other":
      return {
        toast: `Marked as handled again by ${outcome.by ?? "a colleague"} meanwhile: it’s left as it is`,
        toastIsError: true,
      };
  }
}
