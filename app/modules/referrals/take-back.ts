import type { Actor, TimelineKind } from "../kernel/timeline.ts";
import type { ReferralRequest, Withdrawer } from "./request.ts";
import { isLeftToPerson, isUnsent, UNSENT_STATES } from "./request.ts";
import { mayBeElsewhere } from "./requests/other-client.ts";
import type { Tenant } from "./tenant.ts";
import { withResults } from "./with-results.ts";

export type TakeBackOutcome =
  /** Nothing existed at the service: done. */
  | "cancelled"
  /** Its referral is being deleted at the service. */
  | "withdrawing"
  /** Its referral waits for a person's click, by the shop's refund policy. */
  | "asked"
  /** It has results: kept, and shown to a person. */
  | "kept"
  /** It is being sent, or nobody knows yet whether it exists: ended as soon as that is known. */
  | "unsettled"
  /** It was given up before. */
  | "nothing";

/**
 * Gives up one request: because the store took its unit back, or because staff cancel it. What certainly does
 * not exist at the service ends at once. A referral without results is deleted there, by the shop's refund
 * policy at once or after a click; one with results is kept, because somebody's results are attached to it.
 * Doing it twice changes nothing.
 */
export async function takeBack(
  tenant: Tenant,
  { id }: Pick<ReferralRequest, "id">,
  wish: { by: Withdrawer; actor: Actor; now: Date },
): Promise<TakeBackOutcome> {
  // A sender may claim it or report about it meanwhile: decided by the row as it is once it is locked.
  const request = await tenant.requests.findForUpdate(id);
  if (!request) return "nothing";
  const { state } = request;
  const { by } = wish;
  if (state === "cancelled") {
    // The store's word is the last: only then is the unit not paid for any more.
    if (by === "store") await tenant.requests.change(id, { withdrawnBy: by });
    return "nothing";
  }
  if (isUnsent(request)) {
    const change = { attention: null, unwanted: false, withdrawnBy: by };
    if (await tenant.requests.move(id, UNSENT_STATES, "cancelled", change)) {
      await note(tenant, request, "request_cancelled", wish);
      return "cancelled";
    }
    return takeBackLater(tenant, request, wish);
  }
  // Of a half that was about to be sent, the other half exists.
  const waits = ["ready", "held", "rejected"] as const;
  const stands = await tenant.requests.move(id, [...waits, "created"], "created", { half: null });
  return stands ? withdraw(tenant, stands, wish) : takeBackLater(tenant, request, wish);
}

async function takeBackLater(
  tenant: Tenant,
  request: ReferralRequest,
  wish: { by: Withdrawer; actor: Actor; now: Date },
): Promise<TakeBackOutcome> {
  const { id: requestId, unwanted } = request;
  // Where no scan proves anything, the next one would leave it to a person again.
  const isOverSoon = !unwanted || !(await mayBeElsewhere(tenant, request));
  if (isLeftToPerson(request) && isOverSoon) {
    // Nobody has to decide about it any more: it ends when the next scan finds nothing.
    await tenant.requests.setAttention(requestId, null);
    await tenant.jobs.enqueue({ name: "resolve-ambiguous", shop: tenant.shop, requestId });
  }
  // Both want it: then it is the store's, and no click has to be waited for any more.
  const isBoth =
    wish.by === "staff" ? unwanted && request.withdrawnBy !== "staff" : request.withdrawnBy;
  const alone = wish.by === "staff" ? "staff" : null;
  const withdrawnBy = isBoth ? "store" : alone;
  if (unwanted && withdrawnBy === request.withdrawnBy) return "unsettled";
  await tenant.requests.change(requestId, { unwanted: true, withdrawnBy });
  await note(tenant, request, "request_surplus", wish);
  return "unsettled";
}

async function withdraw(
  tenant: Tenant,
  request: ReferralRequest,
  wish: { by: Withdrawer; actor: Actor; now: Date },
): Promise<TakeBackOutcome> {
  const { id: requestId, withdrawnBy } = request;
  const { by } = wish;
  const taken = { unwanted: true, attention: null };
  if ((await withResults(tenant, [request])).has(requestId)) {
    if (by === "staff") return "kept";
    if (request.attention === "refunded_after_results") return "nothing";
    await tenant.requests.change(requestId, { ...taken, attention: "refunded_after_results" });
    await note(tenant, request, "request_surplus", wish);
    return "kept";
  }
  // A person was asked: the answer is theirs, whatever the policy says by now.
  if (by === "store" && withdrawnBy === null && request.attention === "refunded_after_sending")
    return "nothing";
  // The service has refused it since the store took it back: only a person tries again.
  const isRefused = request.unwanted && request.attention === "withdrawal_refused";
  if (by === "store" && withdrawnBy === null && isRefused) return "nothing";
  const policy = (await tenant.shops.find())?.refundPolicy ?? "ask";
  if (by === "store" && policy === "ask" && withdrawnBy === null) {
    await tenant.requests.change(requestId, { ...taken, attention: "refunded_after_sending" });
    await note(tenant, request, "request_surplus", wish);
    return "asked";
  }
  // What the store took back stays the store's, whoever clicks.
  const isStores = by === "store" || (request.unwanted && withdrawnBy !== "staff");
  await tenant.requests.change(requestId, { ...taken, withdrawnBy: isStores ? "store" : "staff" });
  await tenant.jobs.enqueue({ name: "withdraw-referrals", shop: tenant.shop, requestId });
  if (withdrawnBy !== null) return "withdrawing";
  await note(tenant, request, "withdrawal_asked", wish);
  return "withdrawing";
}

async function note(
  tenant: Tenant,
  { id: requestId, orderId }: ReferralRequest,
  kind: TimelineKind,
  { actor, now: at }: { actor: Actor; now: Date },
): Promise<void> {
  await tenant.timeline.add({ kind, actor, at, orderId, requestId });
}
