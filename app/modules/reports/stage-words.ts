import type { Tone } from "../kernel/words.ts";
import type { Stage } from "../referrals/stage.ts";

export const STAGE_WORDS: Record<Stage, { name: string; tone: Tone }> = {
  attention: { name: "Needs attention", tone: "warning" },
  awaiting_details: { name: "Awaiting details", tone: "attention" },
  in_progress: { name: "In progress", tone: "info" },
  results_ready: { name: "Results ready", tone: "success" },
  cancelled: { name: "Cancelled", tone: undefined },
};

/** Those that Home counts; what was cancelled concerns nobody any more. */
export const SHOWN_STAGES = [
  "attention",
  "awaiting_details",
  "in_progress",
  "results_ready",
] as const satisfies readonly Stage[];
