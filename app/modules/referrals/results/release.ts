import type { ReleasePolicy } from "../../shops/shop.ts";
import { contradictsRange } from "../range.ts";
import type { StoredResult } from "../referral-repository.ts";
import type { BiomarkerSnapshot, ResultSnapshot } from "../snapshots.ts";
import { isUrgent } from "../urgency.ts";
import { sensitivityOf } from "./sensitive-tests.ts";

type Before = Pick<
  StoredResult,
  "releasedAt" | "heldAt" | "inReview" | "otherPerson" | "deletedAt"
> & { snapshot: ResultSnapshot | null };

export interface Release {
  /** When its patient may first see it; null while nobody may. */
  releasedAt: Date | null;
  /** Since when a person is to release it; null when nobody is. */
  heldAt: Date | null;
}

/**
 * Whether a result is visible to its patient, or held for a person. The policy of the moment decides once about each
 * version of the figures (docs/decisions/0009). Figures that change after a release are judged anew, and a result that has
 * become critical is held again. The same figures, fetched again, stay as they are, whatever the policy says by now.
 *
 * A shop without a reviewer holds nothing (docs/decisions/0025). The patient never sees a result that the service reviews
 * or has deleted, or that names another person.
 */
export function releaseOf({
  policy,
  before,
  snapshot,
  title,
  otherPerson,
  now,
}: {
  policy: HoldingPolicy;
  before: Before | null;
  snapshot: ResultSnapshot;
  /** The product that the shop sold. */
  title: string;
  otherPerson: boolean;
  now: Date;
}): Release {
  const nobody = { releasedAt: null, heldAt: null };
  if (isInReview(snapshot) || snapshot.deletedAt !== null || otherPerson) return nobody;
  const wasThere =
    before !== null && !before.inReview && !before.otherPerson && before.deletedAt === null;
  if (wasThere && sameFigures(before.snapshot, snapshot))
    return { releasedAt: before.releasedAt, heldAt: before.heldAt };
  if (releasesItself(policy, { snapshot, title }))
    return { releasedAt: before?.releasedAt ?? now, heldAt: null };
  const { snapshot: former = null, heldAt = null } = before ?? {};
  const becameUrgent = isUrgent(snapshot) && !(former && isUrgent(former));
  return { releasedAt: null, heldAt: becameUrgent ? now : (heldAt ?? now) };
}

/** The shop's policy, and whether somebody is there to read what it holds. */
export interface HoldingPolicy {
  releasePolicy: ReleasePolicy;
  hasReviewer: boolean;
}

/**
 * Whether two readings say the same. In which sequence markers are told, nothing promises (interface §2.2). The service's own
 * explanation of a marker or category is no figure: rewording it corrects nobody's result.
 */
export function sameFigures(one: ResultSnapshot | null, other: ResultSnapshot): boolean {
  const figures = ({ biomarkerSummary, biomarkers }: ResultSnapshot) => [
    biomarkerSummary,
    biomarkers
      .map(({ description: _, category: { id, name }, ...biomarker }) =>
        JSON.stringify({ ...biomarker, category: { id, name } }),
      )
      .sort(),
  ];
  return one !== null && JSON.stringify(figures(one)) === JSON.stringify(figures(other));
}

/** Whether a result may be shown to its patient as soon as it arrives. In doubt it is held. */
export function releasesItself(
  { releasePolicy, hasReviewer }: HoldingPolicy,
  { snapshot, title }: { snapshot: ResultSnapshot; title: string },
): boolean {
  if (!hasReviewer || releasePolicy === "automatic") return true;
  if (releasePolicy === "hold_all" || isUrgent(snapshot)) return false;
  if (sensitivityOf(snapshot, title)) return false;
  const isNormal =
    snapshot.biomarkerSummary?.abnormal === 0 &&
    !snapshot.biomarkers.some((one) => one.isAbnormal || isContradictory(one));
  return releasePolicy === "hold_critical" || isNormal;
}

const isContradictory = ({
  value,
  isAbnormal,
  refIntervalLow,
  refIntervalHigh,
}: BiomarkerSnapshot) =>
  contradictsRange({ value, isAbnormal, rangeLow: refIntervalLow, rangeHigh: refIntervalHigh });

/**
 * Whether the service still holds the result for review. The interface says "held for organisation review before release"
 * (§6) and names no status value (§3, gaps). So every status counts that speaks of a review, of a hold or of a release to
 * come. Those that say that the review is over do not: they may be the last ones.
 */
export function isInReview({ status }: ResultSnapshot): boolean {
  return IS_HELD_BACK.test(status) && !REVIEW_IS_OVER.test(status);
}

const IS_HELD_BACK =
  /REVIEW|APPROVAL|HELD|(^|[\W_])(ON)?HOLD|(UN|NOT|AWAITING|PENDING)[\W_]?RELEASE|RELEASE[\W_]?PENDING/i;

const REVIEW_IS_OVER = /^(REVIEWED|REVIEW[\s_-]?COMPLETED?)$/i;

/** Anything that is not final is shown as partial (interface §2.2: COMPLETE is the value shown). */
export function isPartial({ status }: ResultSnapshot): boolean {
  return status !== "COMPLETE";
}
