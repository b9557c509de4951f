import type { StoredResult } from "../referrals/referral-repository.ts";
import type { ResultSnapshot } from "../referrals/snapshots.ts";
import type { ReleasePolicy } from "../shops/shop.ts";

/**
 * When a result became visible to its patient; null while it is not. The policy of the moment decides once
 * about each version of the figures (docs/decisions/0009): figures that change after a release are judged anew,
 * and a result that has become critical is held again; the same figures, fetched again, stay as they are,
 * whatever the policy says by now. What the service reviews or
 * has deleted, and what names another person, is never visible.
 */
export function releaseOf({
  policy,
  before,
  snapshot,
  otherPerson,
  now,
}: {
  policy: ReleasePolicy;
  before:
    | (Pick<StoredResult, "releasedAt" | "inReview" | "otherPerson" | "deletedAt"> & {
        snapshot: ResultSnapshot | null;
      })
    | null;
  snapshot: ResultSnapshot;
  otherPerson: boolean;
  now: Date;
}): Date | null {
  if (isInReview(snapshot) || snapshot.deletedAt !== null || otherPerson) return null;
  const wasThere =
    before !== null && !before.inReview && !before.otherPerson && before.deletedAt === null;
  if (wasThere && sameFigures(before.snapshot, snapshot)) return before.releasedAt;
  return releasesItself(policy, snapshot) ? (before?.releasedAt ?? now) : null;
}

export function sameFigures(one: ResultSnapshot | null, other: ResultSnapshot): boolean {
  const figures = (snapshot: ResultSnapshot) => [snapshot.biomarkerSummary, snapshot.biomarkers];
  return one !== null && JSON.stringify(figures(one)) === JSON.stringify(figures(other));
}

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
