import type { ResultSnapshot } from "../referrals/snapshots.ts";
import type { ReleasePolicy } from "../shops/shop.ts";

/** Whether a result may be shown to its patient as soon as it arrives. In doubt it is held. */
export function releasesItself(policy: ReleasePolicy, snapshot: ResultSnapshot): boolean {
  const summary = snapshot.biomarkerSummary;
  const abnormal = snapshot.biomarkers.some((biomarker) => biomarker.isAbnormal);
  switch (policy) {
    case "automatic":
      return true;
    case "hold_critical":
      return summary !== null && summary.critical === 0;
    case "hold_abnormal":
      return summary !== null && summary.critical === 0 && summary.abnormal === 0 && !abnormal;
    case "hold_all":
      return false;
  }
}

/**
 * Whether the service still holds the result for review. The interface names the event `result.in_review`
 * but no status value (§3, gaps), so every status that speaks of a review counts.
 */
export function isInReview({ status }: ResultSnapshot): boolean {
  return /REVIEW/i.test(status);
}

/** Anything that is not final is shown as partial (interface §2.2: COMPLETE is the value shown). */
export function isPartial({ status }: ResultSnapshot): boolean {
  return status !== "COMPLETE";
}
