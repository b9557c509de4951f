import type { ShopDomain } from "../kernel/ids.ts";
import { findInstalled } from "../shops/find-installed.ts";
import { apply } from "./apply.ts";
import { isConfirmed } from "./cancellation.ts";
import type { Ports } from "./ports.ts";
import type { StoredReferral } from "./referral-repository.ts";
import type { ReferralService } from "./referral-service.ts";
import { saveReferral } from "./referrals/save-referral.ts";
import { serviceRefusal } from "./referrals/service-refusal.ts";
import type { ReferralRequest } from "./request.ts";
import { isBeforeClient } from "./requests/other-client.ts";
import type { ReferralSnapshot } from "./snapshots.ts";
import type { Tenant } from "./tenant.ts";
import { isReported } from "./with-results.ts";

export type DeletionOutcome =
  | { kind: "deleted"; uuids: string[] }
  /** Results came first: nothing was deleted. */
  | { kind: "kept" }
  /** The service does not delete it, for a reason of its own, or another organisation may have it: a person has to ask there. */
  | { kind: "refused" }
  | { kind: "not_due" }
  | { kind: "no_connection" };

/** How long after its reading a referral may be deleted: one that has results by then stays. */
const READING_HOLDS_MS = 30_000;

/**
 * Deletes the referrals of a request that is cancelled (interface §4.2, DELETE). Each is read afresh first: one
 * with results stays. Deleting is the same however often it is done, so a process that dies on the way leaves
 * nothing unclear: a referral that is deleted already, or unknown to the service, counts as done. A referral that is unknown to
 * another client than the one that read it last may live on at that one's organisation: a person is told. Throws when
 * the service does not answer, to be tried again.
 */
export async function deleteReferrals(
  { tenancy, services, clock }: Pick<Ports, "tenancy" | "services" | "clock">,
  { shop, requestId }: { shop: ShopDomain; requestId: string },
): Promise<DeletionOutcome> {
  const due = await tenancy.inShop(shop, async (tenant) => {
    const shopNow = await findInstalled(tenant);
    const request = await tenant.requests.find(requestId);
    if (!shopNow || request?.state !== "created" || !isConfirmed(request.cancellation)) return null;
    return { request, referrals: await tenant.referrals.forRequests([requestId]) };
  });
  if (!due) return { kind: "not_due" };
  const { request, referrals } = due;
  const service = await services.forConnection(shop, request.environment);
  if (!service) return { kind: "no_connection" };
  const open = referrals.filter((one) => one.deletedAt === null);
  const uuids = open.map(({ uuid }) => uuid);
  const deadlineAt = new Date(clock.now().getTime() + READING_HOLDS_MS);
  const fresh = await Promise.all(uuids.map((uuid) => service.getReferral(uuid)));
  const known = fresh.filter((snapshot) => snapshot !== null);
  if (known.some(({ resultsUuid, status }) => isReported({ resultUuid: resultsUuid, status }))) {
    await tenancy.inShop(shop, (tenant) => keep(tenant, request, known, clock.now()));
    return { kind: "kept" };
  }
  const deleted: ReferralSnapshot[] = [];
  try {
    for (const snapshot of known) deleted.push(await deleteOnce(service, snapshot, deadlineAt));
  } catch (error) {
    if (serviceRefusal(error) !== "rejected") throw error;
    await tenancy.inShop(shop, (tenant) => refuse(tenant, request, deleted, clock.now()));
    return { kind: "refused" };
  }
  const missing = open.filter((_, index) => fresh[index] === null);
  return tenancy.inShop(shop, async (tenant) => {
    const now = clock.now();
    if (await isAnyElsewhere(tenant, missing)) {
      await refuse(tenant, request, deleted, now);
      return { kind: "refused" };
    }
    await finish(tenant, request, { uuids, deleted }, now);
    return { kind: "deleted", uuids };
  });
}

/** Whether one that the service does not find was last read with another client's credentials. */
async function isAnyElsewhere(tenant: Tenant, missing: StoredReferral[]): Promise<boolean> {
  for (const { environment, fetchedAt } of missing)
    if (await isBeforeClient(tenant, environment, fetchedAt)) return true;
  return false;
}

async function deleteOnce(
  service: ReferralService,
  snapshot: ReferralSnapshot,
  deadlineAt: Date,
): Promise<ReferralSnapshot> {
  return snapshot.deletedAt ? snapshot : service.deleteReferral(snapshot.uuid, { deadlineAt });
}

async function refuse(
  tenant: Tenant,
  request: ReferralRequest,
  deleted: ReferralSnapshot[],
  now: Date,
): Promise<void> {
  const { id } = request;
  await tenant.requests.findForUpdate(id);
  for (const snapshot of deleted) await saveReferral(tenant, request, snapshot, now);
  await apply(tenant, id, { kind: "withdrawal_refused" }, { actor: "service", at: now });
}

async function keep(
  tenant: Tenant,
  request: ReferralRequest,
  known: ReferralSnapshot[],
  now: Date,
): Promise<void> {
  const { id, environment } = request;
  // The store may have taken the unit back since the deletion was begun.
  const { cancellation = null } = (await tenant.requests.findForUpdate(id)) ?? {};
  for (const snapshot of known) {
    await saveReferral(tenant, request, snapshot, now);
    // The restored referral was not fetched yet, and its event may find nothing new.
    await tenant.jobs.enqueue({
      name: "refetch-referral",
      shop: tenant.shop,
      environment,
      uuid: snapshot.uuid,
    });
  }
  const event = {
    kind: "withdrawal_too_late",
    wasStores: cancellation?.requestedBy === "store",
  } as const;
  await apply(tenant, id, event, { actor: "pathway", at: now });
}

async function finish(
  tenant: Tenant,
  request: ReferralRequest,
  { uuids, deleted }: { uuids: string[]; deleted: ReferralSnapshot[] },
  now: Date,
): Promise<void> {
  const { id, orderId } = request;
  await tenant.requests.findForUpdate(id);
  for (const snapshot of deleted) await saveReferral(tenant, request, snapshot, now);
  for (const uuid of uuids) await tenant.referrals.markGone(uuid, now);
  await tenant.documents.revoke(id, now);
  const reported = deleted.some(({ resultsUuid, status }) =>
    isReported({ resultUuid: resultsUuid, status }),
  );
  const by = { actor: "pathway", at: now } as const;
  const applied = await apply(tenant, id, { kind: "deleted", isReported: reported }, by);
  if (!applied) return;
  const detail = { uuids: uuids.join(" ") };
  await tenant.timeline.add({ kind: "request_withdrawn", ...by, orderId, requestId: id, detail });
}
