/** Where requests stand, as coarsely as a merchant sorts them. */
export const STAGES = [
  "attention",
  "awaiting_details",
  "in_progress",
  "results_ready",
  "cancelled",
] as const;
export type Stage = (typeof STAGES)[number];

/** A number for each stage. */
export function stageRecord(of: (stage: Stage) => number): Record<Stage, number> {
  return {
    attention: of("attention"),
    awaiting_details: of("awaiting_details"),
    in_progress: of("in_progress"),
    results_ready: of("results_ready"),
    cancelled: of("cancelled"),
  };
}
