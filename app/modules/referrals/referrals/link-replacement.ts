import { isCurrent, type StoredReferral } from "../referral-repository.ts";
import type { ReferralRequest } from "../request.ts";
import { isFailed } from "../status.ts";
import type { Tenant } from "../tenant.ts";

/**
 * Links referrals that failed to the one that the service made in their place by itself: those before `uuid` when that
 * is new here, and `uuid` to the next one when it has failed. Either can be heard of first, for most failures have no
 * event (interface §6). Doing it again changes nothing. Returns whether anything was linked.
 */
export async function linkReplacement(
  tenant: Tenant,
  { id: requestId, orderId }: ReferralRequest,
  { uuid, isNew, now }: { uuid: string; isNew: boolean; now: Date },
): Promise<boolean> {
  const stored = await tenant.referrals.forRequests([requestId]);
  const own = stored.find((one) => one.uuid === uuid);
  if (!own || !isCurrent(own)) return false;
  const others = stored.filter(
    (one) => one.uuid !== uuid && one.medicare === own.medicare && isCurrent(one),
  );
  const before = others.filter((one) => isFailed(one) && isMadeInOrder(one, own));
  const next = others.find((one) => isMadeInOrder(own, one) && !before.includes(one));
  const links = [
    ...(isNew && before.length > 0 ? [{ replaced: before, by: own }] : []),
    ...(next && isFailed(own) ? [{ replaced: [own], by: next }] : []),
  ];
  for (const { replaced, by } of links) {
    const uuids = replaced.map((one) => one.uuid);
    await tenant.referrals.markReplaced(uuids, by.uuid);
    await tenant.timeline.add({
      kind: "referral_replaced",
      actor: "service",
      at: now,
      orderId,
      requestId,
      detail: { uuid: by.uuid, replaced: uuids.join(" ") },
    });
  }
  return links.length > 0;
}

const isMadeInOrder = (one: StoredReferral, other: StoredReferral) =>
  one.serviceCreatedAt <= other.serviceCreatedAt;
