import { crashPoint } from "../../lib/crash-points.ts";
import type { Environment } from "../connections/connection.ts";
import { storeDocument } from "../documents/store-document.ts";
import type { ShopDomain } from "../ids.ts";
import type { DueNotification } from "../notifications/notification.ts";
import type { Ports } from "../ports.ts";
import type { RefetchOutcome } from "../referrals/refetch-referral.ts";
import type { ResultSnapshot } from "../referrals/snapshots.ts";
import type { ReferralRequest } from "../requests/request.ts";
import type { Tenant } from "../tenant.ts";
import { isInReview, isPartial, releaseOf } from "./release.ts";
import { resultsMail } from "./results-mail.ts";

/**
 * Reads one result from the service, overwrites what is stored of it, decides about its release and brings
 * its PDF. Every fetch returns the whole result (interface §1.3), so nothing is merged.
 */
export async function refetchResult(
  ports: Pick<Ports, "tenancy" | "services" | "attachments" | "clock" | "emailByService">,
  { shop, environment, uuid }: { shop: ShopDomain; environment: Environment; uuid: string },
): Promise<RefetchOutcome> {
  const { tenancy, services, clock } = ports;
  const service = await services.forConnection(shop, environment);
  if (!service) return { kind: "no_connection" };
  const askedAt = clock.now();
  const snapshot = await service.getResult(uuid);
  if (!snapshot) return { kind: "not_found" };
  crashPoint("result.after-fetch");
  const request = await tenancy.inShop(shop, async (tenant) => {
    const found = await requestOf(tenant, environment, snapshot);
    // What is decided about a release rests on what is stored: nobody changes that meanwhile.
    const owner = found && (await tenant.requests.findForUpdate(found.id));
    if (owner) await record(tenant, owner, snapshot, { askedAt, now: clock.now() });
    crashPoint("result.before-commit");
    return owner;
  });
  if (!request) return { kind: "foreign" };
  crashPoint("result.after-commit");
  const document = snapshot.resultAttachment
    ? await storeDocument(ports, {
        shop,
        request,
        kind: "result",
        sourceUuid: uuid,
        updatedAt: snapshot.updatedAt,
        url: snapshot.resultAttachment,
        partial: isPartial(snapshot),
      })
    : false;
  return { kind: "stored", status: snapshot.status, document };
}

async function requestOf(
  tenant: Tenant,
  environment: Environment,
  snapshot: ResultSnapshot,
): Promise<ReferralRequest | null> {
  const referral = await tenant.referrals.find(snapshot.referralUuid);
  if (referral) return tenant.requests.find(referral.requestId);
  if (!snapshot.referenceNumber) return null;
  const request = await tenant.requests.findByReferenceNumber(snapshot.referenceNumber);
  return request?.environment === environment ? request : null;
}

async function record(
  tenant: Tenant,
  request: ReferralRequest,
  snapshot: ResultSnapshot,
  { askedAt, now }: { askedAt: Date; now: Date },
): Promise<void> {
  const settings = await tenant.shops.find();
  const before = await tenant.results.find(snapshot.uuid);
  const kept = before && (await tenant.results.snapshotOf(snapshot.uuid));
  const inReview = isInReview(snapshot);
  const partial = isPartial(snapshot);
  const releasedAt = releaseOf({
    policy: settings?.releasePolicy ?? "hold_all",
    before: before && { ...before, snapshot: kept },
    snapshot,
    now,
  });
  const { environment, id: requestId, orderId } = request;
  const saved = await tenant.results.save({
    environment,
    requestId,
    snapshot,
    partial,
    inReview,
    releasedAt,
    at: askedAt,
  });
  if (saved !== "stored") return;
  const entry = { actor: "service" as const, at: now, orderId, requestId };
  const { uuid, status } = snapshot;
  if (before?.status !== status)
    await tenant.timeline.add({
      ...entry,
      kind: "result_stored",
      detail: { uuid, status, partial },
    });
  if (releasedAt && !before?.releasedAt)
    await tenant.timeline.add({
      ...entry,
      kind: "result_released",
      actor: "pathway",
      detail: { uuid },
    });
  if (!releasedAt && before?.releasedAt) {
    await tenant.timeline.add({ ...entry, kind: "result_held_again", detail: { uuid } });
    // The patient is told again when it is there again.
    await tenant.notifications.forget(await resultsMail(tenant, request, snapshot.referralUuid));
  }
  if (before === null || !before.releasedAt !== !releasedAt) await settleTaken(tenant, request);
  if (releasedAt && !partial)
    await announce(tenant, await resultsMail(tenant, request, snapshot.referralUuid), now);
}

/** A unit that was refunded before it had results waits for a click no more: it is kept. */
async function settleTaken(tenant: Tenant, { id }: ReferralRequest): Promise<void> {
  const request = await tenant.requests.find(id);
  if (request?.attention === "refunded_after_sending")
    await tenant.requests.setAttention(id, "refunded_after_results");
}

async function announce(tenant: Tenant, due: DueNotification, now: Date): Promise<void> {
  if (await tenant.notifications.note(due, now))
    await tenant.jobs.enqueue({ name: "send-mail", shop: tenant.shop, ...due });
}
