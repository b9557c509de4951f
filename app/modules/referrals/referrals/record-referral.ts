import type { StoredReferral } from "../referral-repository.ts";
import type { ReferralRequest } from "../request.ts";
import { adoptReferrals, hasDuplicate } from "../requests/adopt-referrals.ts";
import { takeBackLate } from "../requests/take-back-late.ts";
import type { ReviewReason } from "../review-reason.ts";
import type { ReferralSnapshot } from "../snapshots.ts";
import { attentionFor, isFailed, isOfReferrals } from "../status.ts";
import type { Tenant } from "../tenant.ts";
import { linkReplacement } from "./link-replacement.ts";

/**
 * States in which an event can be all that is left of a create call, even of one that is about to be made
 * again, or that a restored database has forgotten.
 */
const OPEN = ["awaiting_details", "ready", "held", "ambiguous", "rejected"];

/** Overwrites what is stored of one referral with a fresh snapshot, and draws the consequences. */
export async function recordReferral(
  tenant: Tenant,
  request: ReferralRequest,
  snapshot: ReferralSnapshot,
  { askedAt, now }: { askedAt: Date; now: Date },
): Promise<void> {
  const { environment, id: requestId, orderId } = request;
  const { uuid, status, resultsUuid } = snapshot;
  const before = await tenant.referrals.find(uuid);
  if (OPEN.includes(request.state)) await adoptReferrals(tenant, request, [snapshot], now);
  const saved = await tenant.referrals.save(environment, requestId, snapshot, askedAt);
  if (saved.outcome === "stale") return;
  if (!before) await tenant.restores.forget(environment, uuid);
  const entry = { actor: "service", at: now, orderId, requestId } as const;
  const isLinked =
    request.state === "created" &&
    (!before || isFailed(snapshot)) &&
    (await linkReplacement(tenant, request, { uuid, isNew: !before, now }));
  if (before?.status !== status)
    await tenant.timeline.add({
      ...entry,
      kind: "referral_status",
      detail: { uuid, from: before?.status ?? null, to: status },
    });
  const isGone = snapshot.deletedAt !== null && before?.deletedAt === null;
  if (isGone) await tenant.documents.withdraw(requestId, now);
  if (before?.status !== status || isGone || isLinked) await updateAttention(tenant, requestId);
  // What is deleted stays deleted, whatever a late answer says: it is given up once.
  const isLive = snapshot.deletedAt === null && !before?.deletedAt;
  if (request.state === "cancelled" && isLive) await takeBackLate(tenant, request, now);
  // A correction may have waited for a form to be made (interface §3: CREATED or ISSUED only).
  if (await tenant.corrections.pending(requestId))
    await tenant.jobs.enqueue({ name: "correct-referrals", shop: tenant.shop, requestId });
  if (resultsUuid)
    await tenant.jobs.enqueue({
      name: "refetch-result",
      shop: tenant.shop,
      environment,
      uuid: resultsUuid,
    });
}

/** Says why a person is needed now, unless the reason is one that no referral's state can end. */
async function updateAttention(tenant: Tenant, requestId: string): Promise<void> {
  const request = await tenant.requests.findForUpdate(requestId);
  if (request?.state !== "created" || request.withdrawnBy !== null) return;
  const stored = await tenant.referrals.forRequests([requestId]);
  const next = hasDuplicate(stored) ? "duplicate_referral" : nextReason(request, stored);
  if (next !== request.attention) await tenant.requests.setAttention(requestId, next);
}

function nextReason({ attention }: ReferralRequest, stored: StoredReferral[]): ReviewReason | null {
  const isOver = attention === "duplicate_referral";
  return attention === null || isOfReferrals(attention) || isOver
    ? attentionFor(stored)
    : attention;
}
