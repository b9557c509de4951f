import { cancelUnit } from "./cancel-unit.ts";
import { isConfirmed } from "./cancellation.ts";
import type { Ports } from "./ports.ts";
import { isCurrent, type StoredReferral, type StoredResult } from "./referral-repository.ts";
import { isUnsent, type ReferralRequest } from "./request.ts";
import { type AskedOnPage, standsElsewhere } from "./request-version.ts";
import { livesBesideNext } from "./status.ts";
import { isReported } from "./with-results.ts";

export const CANCELLATION_PREVIEWS = [
  /** Nothing has been ordered: nothing is lost but what was typed. */
  "not_sent",
  /** Ordered, without results: the referral is deleted at the service, and its form must not be used. */
  "deletable",
  /** Nobody knows yet whether it exists: it is ended as soon as that is known. */
  "unsettled",
  /** It has results: it can't be cancelled. */
  "has_results",
  /** It is cancelled, or about to be. */
  "nothing",
] as const;
/** The effect of cancelling a request, as far as is known now. */
export type CancellationPreview = (typeof CANCELLATION_PREVIEWS)[number];

/** Says beforehand what cancelling would do: what is still recoverable. */
export function previewCancellation({
  request,
  referrals,
  results,
}: {
  request: Pick<ReferralRequest, "state" | "missingPart" | "cancellation">;
  referrals: StoredReferral[];
  results: Pick<StoredResult, "uuid">[];
}): CancellationPreview {
  const { state, cancellation } = request;
  if (state === "cancelled" || isConfirmed(cancellation)) return "nothing";
  if (isUnsent(request)) return "not_sent";
  if (state === "sending" || state === "ambiguous") return "unsettled";
  if (results.length > 0 || referrals.some(isReported)) return "has_results";
  // Deleted in the service's own pages: only our side is left to be closed.
  return referrals.some(isCurrent) ? "deletable" : "not_sent";
}

/**
 * Whether nothing of a request is left to cancel, because all of it was ordered again: its owner would be told that the test is
 * cancelled whose replacement goes on.
 */
export function isOrderedAgain({
  request: { state, replacedBy, missingPart },
  referrals,
}: {
  request: Pick<ReferralRequest, "state" | "replacedBy" | "missingPart">;
  referrals: readonly StoredReferral[];
}): boolean {
  const isOver = (state === "rejected" || state === "created") && missingPart === null;
  const isAnyLeft = referrals.some((one) => one.replacedBy === null || livesBesideNext(one));
  return replacedBy !== null && isOver && !isAnyLeft;
}

export type CancelOutcome =
  | { kind: "cancelled" }
  | { kind: "deleting" }
  | { kind: "unsettled" }
  | { kind: "has_results" }
  | { kind: "nothing_to_cancel" }
  /** It stands elsewhere than the page showed: the consequence may be another. */
  | { kind: "changed_meanwhile" };

/**
 * Cancels one request because a person asks for it; also the click that the refund policy "ask" waits for.
 * The unit stays paid for, so that it can be ordered again, until the store takes it back.
 */
export async function cancelRequest(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  {
    shop,
    requestId,
    actor,
    seen = null,
    isMeant,
  }: AskedOnPage & {
    /** Says of the request, once nobody can change it, whether it is one that is meant still. */
    isMeant?: (request: ReferralRequest) => boolean;
  },
): Promise<CancelOutcome> {
  return tenancy.inShop(shop, async (tenant): Promise<CancelOutcome> => {
    const found = await tenant.requests.find(requestId);
    if (!found) return { kind: "nothing_to_cancel" };
    await tenant.orders.lock(found.orderId);
    const request = await tenant.requests.findForUpdate(requestId);
    if (!request || request.state === "cancelled") return { kind: "nothing_to_cancel" };
    if (isMeant && !isMeant(request)) return { kind: "changed_meanwhile" };
    const referrals = await tenant.referrals.forRequests([requestId]);
    if (isOrderedAgain({ request, referrals })) return { kind: "nothing_to_cancel" };
    if (await standsElsewhere(tenant, requestId, seen)) return { kind: "changed_meanwhile" };
    const outcome = await cancelUnit(tenant, request, { by: "staff", actor, now: clock.now() });
    switch (outcome) {
      case "kept":
        return { kind: "has_results" };
      case "cancelled":
      case "deleting":
      case "unsettled":
        return { kind: outcome };
      case "asked":
      case "nothing":
        return { kind: "nothing_to_cancel" };
    }
  });
}

/** Whether it is a refunded unit whose referral waits for a person's click (`refundsToDecide`). */
export const isRefundToDecide = ({ stage, reason }: ReferralRequest): boolean =>
  stage === "attention" && reason?.code === "refunded_after_sending";
