import type { RequestFacts } from "./customer-view.ts";
import { isCurrent, type StoredReferral } from "./referral-repository.ts";
import type { ReferralPart, ReferralRequest } from "./request.ts";
import { partOfReferral, partsOfItems } from "./requests/referral-parts.ts";
import { isFailed } from "./status.ts";
import { isReported } from "./with-results.ts";

/**
 * Returns the parts of a request that may be ordered anew: those that failed or were deleted, have no results, and that no
 * later generation of the unit has. The list is empty while the request is on its way, unclear, or good.
 */
export function reorderableParts({
  request,
  referrals,
  orderedAgain,
}: {
  request: Pick<
    ReferralRequest,
    "state" | "items" | "replacedBy" | "cancellation" | "reviewReason" | "redactedAt"
  >;
  referrals: StoredReferral[];
} & Pick<RequestFacts, "orderedAgain">): ReferralPart[] {
  const { state, items, replacedBy, cancellation } = request;
  const all = partsOfItems(items);
  // Its patient had everything deleted, and wants nothing ordered.
  if (request.reviewReason?.code === "consent_withdrawn") return [];
  // Nobody is left who could be asked for the details.
  if (request.redactedAt !== null) return [];
  if (state === "rejected") return replacedBy === null ? all : [];
  const isEndedByStaff = state === "cancelled" && cancellation?.requestedBy === "staff";
  if (isEndedByStaff && replacedBy === null) return all;
  // Only what existed at the service fails in parts: everything else was ordered again whole.
  const isThere = state === "created" && cancellation === null;
  if (!isThere && !isEndedByStaff) return [];
  const taken = replacedBy === null ? [] : (orderedAgain ?? all);
  const left = all.filter((part) => !taken.includes(part));
  return left.filter((part) => {
    const own = referrals.filter((one) => partOfReferral(one) === part && one.replacedBy === null);
    const isLost = own.length > 0 && own.every((one) => !isCurrent(one) || isFailed(one));
    return isLost && !own.some((one) => one.deletedAt !== null && isReported(one));
  });
}
