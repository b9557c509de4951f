import { crashPoint } from "../../lib/crash-points.ts";
import type { Environment } from "../connections/connection.ts";
import { storeDocument } from "../documents/store-document.ts";
import type { ShopDomain } from "../ids.ts";
import type { Ports } from "../ports.ts";
import { adoptReferrals } from "../requests/adopt-referrals.ts";
import type { ReferralRequest } from "../requests/request.ts";
import type { Tenant } from "../tenant.ts";
import type { ReferralSnapshot } from "./snapshots.ts";
import { attentionFor } from "./status.ts";

export type RefetchOutcome =
  | { kind: "stored"; status: string; document: boolean }
  | { kind: "not_found" }
  /** A referral that no request of this shop ordered. */
  | { kind: "foreign" }
  | { kind: "no_connection" };

/**
 * Reads one referral from the service and overwrites what is stored of it. An event is only a hint; this is
 * what makes it true (interface §1.3). Brings the referral PDF when there is a new one, and the result.
 */
export async function refetchReferral(
  ports: Pick<Ports, "tenancy" | "services" | "attachments" | "clock">,
  target: { shop: ShopDomain; environment: Environment; uuid: string },
): Promise<RefetchOutcome> {
  const { tenancy, services, clock } = ports;
  const { shop, environment, uuid } = target;
  const service = await services.forConnection(shop, environment);
  if (!service) return { kind: "no_connection" };
  const snapshot = await service.getReferral(uuid);
  if (!snapshot) return { kind: "not_found" };
  crashPoint("referral.after-fetch");
  const request = await tenancy.inShop(shop, async (tenant) => {
    const owner = await requestOf(tenant, environment, snapshot);
    if (owner) await record(tenant, owner, snapshot, clock.now());
    crashPoint("referral.before-commit");
    return owner;
  });
  if (!request) return { kind: "foreign" };
  crashPoint("referral.after-commit");
  const document = snapshot.referralAttachment
    ? await storeDocument(ports, {
        shop,
        request,
        kind: "referral",
        sourceUuid: uuid,
        url: snapshot.referralAttachment,
        partial: false,
      })
    : false;
  return { kind: "stored", status: snapshot.status, document };
}

/** Matched by our own reference number, within the environment that we asked: ids of one mean nothing in the other. */
async function requestOf(
  tenant: Tenant,
  environment: Environment,
  { referenceNumber }: ReferralSnapshot,
): Promise<ReferralRequest | null> {
  if (!referenceNumber) return null;
  const request = await tenant.requests.findByReferenceNumber(referenceNumber);
  return request?.environment === environment ? request : null;
}

async function record(
  tenant: Tenant,
  request: ReferralRequest,
  snapshot: ReferralSnapshot,
  now: Date,
): Promise<void> {
  // An event can be all that is left of a create call, even of one that is about to be made again.
  const isOpen = ["ambiguous", "ready", "rejected"].includes(request.state);
  if (isOpen && request.attempt > 0) await adoptReferrals(tenant, request, [snapshot], now);
  const { environment, id: requestId } = request;
  const saved = await tenant.referrals.save(environment, requestId, snapshot, now);
  if (saved.outcome === "stale") return;
  if (saved.previousStatus !== snapshot.status) {
    // What a person has to decide about the request itself is not answered by what the service says next.
    const current = await tenant.requests.findForUpdate(requestId);
    if (!current?.attention || current.attention.startsWith("referral:"))
      await tenant.requests.setAttention(requestId, attentionFor(snapshot));
    await tenant.timeline.add({
      kind: "referral_status",
      actor: "service",
      at: now,
      orderId: request.orderId,
      requestId,
      detail: { uuid: snapshot.uuid, from: saved.previousStatus ?? null, to: snapshot.status },
    });
  }
  if (snapshot.resultsUuid)
    await tenant.jobs.enqueue({
      name: "refetch-result",
      shop: tenant.shop,
      environment,
      uuid: snapshot.resultsUuid,
    });
}
