import type { ResultSnapshot } from "./snapshots.ts";

/** Why a person is needed: a held result that cannot wait. It can be reviewed, never marked as handled. */
export const URGENT_HELD = "urgent_result_held";
/** Why a person is needed: a critical result was shown to its patient, whom somebody should ring. */
export const URGENT_SHOWN = "urgent_result_shown";
/** Why a person is needed: the policy holds a result. The database writes it too (prisma/migrations). */
const RESULTS_HELD = "results_held";

/** Reasons of a held result: they end when it is released, never by a click on "handled". */
export const HOLD_REASONS: ReadonlySet<string> = new Set([RESULTS_HELD, URGENT_HELD]);

/** Reasons that tell of what was found: under some policies, only a result out of range has one. */
export const FINDING_REASONS: ReadonlySet<string> = new Set([...HOLD_REASONS, URGENT_SHOWN]);

/**
 * Whether a held result cannot wait: it has a critical value, or no summary that says that it has none
 * (interface §2.2: biomarkerSummary may be null).
 */
export function isUrgent({ biomarkerSummary }: Pick<ResultSnapshot, "biomarkerSummary">): boolean {
  return biomarkerSummary === null || biomarkerSummary.critical > 0;
}
