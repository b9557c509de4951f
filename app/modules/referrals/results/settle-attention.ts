import { OTHER_PERSON } from "../other-person.ts";
import type { StoredResult } from "../referral-repository.ts";
import { isHeld } from "../referral-repository.ts";
import type { ReferralRequest } from "../request.ts";
import { attentionFor } from "../status.ts";
import type { Tenant } from "../tenant.ts";
import { isUrgent, URGENT_HELD, URGENT_SHOWN } from "../urgency.ts";

/** Reasons that results give, and that only results end. */
const OWN_REASONS: ReadonlySet<string> = new Set([
  "result_deleted",
  OTHER_PERSON,
  URGENT_HELD,
  URGENT_SHOWN,
]);

/**
 * Writes why a person is needed, as far as results decide it. `request` is locked. `isShownNow`: its patient can see a
 * critical result since this transaction.
 */
export async function settleAttention(
  tenant: Tenant,
  { id, attention }: Pick<ReferralRequest, "id" | "attention">,
  { isShownNow }: { isShownNow: boolean },
): Promise<void> {
  // A unit that was refunded before it had results waits for a click no more: it is kept.
  if (attention === "refunded_after_sending")
    return tenant.requests.setAttention(id, "refunded_after_results");
  const results = await tenant.results.forRequests([id]);
  // Before every other reason: somebody's health is in the wrong place.
  if (results.some((one) => one.otherPerson && one.deletedAt === null))
    return tenant.requests.setAttention(id, OTHER_PERSON);
  if (attention !== null && !OWN_REASONS.has(attention)) return;
  const reason =
    lostOf(results) ??
    ((await hasUrgentHold(tenant, results)) ? URGENT_HELD : null) ??
    (isShownNow || isShownStill(attention, results) ? URGENT_SHOWN : null);
  if (reason) return tenant.requests.setAttention(id, reason);
  if (attention === null) return;
  // It may have stood before a reason of the referrals' own.
  const referrals = await tenant.referrals.forRequests([id]);
  await tenant.requests.setAttention(id, attentionFor(referrals));
}

/** Whether the service took back the only result of a referral. */
function lostOf(results: StoredResult[]): "result_deleted" | null {
  const standing = new Set(
    results.filter((one) => one.deletedAt === null).map((one) => one.referralUuid),
  );
  return results.some(({ referralUuid }) => !standing.has(referralUuid)) ? "result_deleted" : null;
}

async function hasUrgentHold(tenant: Tenant, results: StoredResult[]): Promise<boolean> {
  for (const { uuid } of results.filter(isHeld)) {
    const snapshot = await tenant.results.snapshotOf(uuid);
    if (snapshot && isUrgent(snapshot)) return true;
  }
  return false;
}

/** A person ends it by marking it as handled, not a later fetch. */
const isShownStill = (attention: string | null, results: StoredResult[]) =>
  attention === URGENT_SHOWN && results.some(({ releasedAt }) => releasedAt !== null);
