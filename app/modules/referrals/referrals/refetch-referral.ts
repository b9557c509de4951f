import { crashPoint } from "../../../platform/crash-points.ts";
import { goOnIn } from "../../../platform/traces.ts";
import { readUuid, type ShopDomain } from "../../kernel/ids.ts";
import type { Environment } from "../../shops/connection.ts";
import { awaitDocument } from "../documents/awaited-document.ts";
import { type DocumentPorts, storeDocument } from "../documents/store-document.ts";
import type { Ports } from "../ports.ts";
import type { ReferralRequest } from "../request.ts";
import type { ReferralSnapshot } from "../snapshots.ts";
import { isBeingRemade, isFormToCome, isPastForm } from "../status.ts";
import type { Tenant } from "../tenant.ts";
import { recordReferral } from "./record-referral.ts";
import { endUnreadable } from "./record-unreadable-own.ts";

export type RefetchOutcome =
  | { kind: "stored"; status: string; document: boolean }
  | { kind: "not_found" }
  /** A referral that no request of this shop ordered. */
  | { kind: "foreign" }
  | { kind: "no_connection" };

/**
 * Reads one referral from the service and overwrites what is stored of it. An event is only a hint; this is
 * what makes it true (interface §1.3). Brings the referral PDF when there is a new one, and the result. `connecting`: for
 * whoever asked for the connection a moment ago.
 */
export async function refetchReferral(
  ports: DocumentPorts & Pick<Ports, "services">,
  target: { shop: ShopDomain; environment: Environment; uuid: string },
  connecting = ports.services.forConnection(target.shop, target.environment),
): Promise<RefetchOutcome> {
  const { tenancy, clock } = ports;
  const { shop, environment, uuid } = target;
  const service = await connecting;
  if (!service) return { kind: "no_connection" };
  // The answer holds every change that was announced before this moment. Of a change that comes while the call is
  // under way nobody knows.
  const askedAt = clock.now();
  const snapshot = await service.getReferral(uuid);
  if (!snapshot) {
    await tenancy.inShop(shop, (tenant) => tenant.restores.forget(environment, uuid));
    return { kind: "not_found" };
  }
  crashPoint("referral.after-fetch");
  const found = await tenancy.inShop(shop, async (tenant) => {
    // Two readings are written down one after the other.
    const locked = await lockedRequestOf(tenant, environment, snapshot);
    const { resultsUuid: announces, unread } = snapshot;
    const read = { environment, kind: "referral", uuid, announces, unread } as const;
    const owner = locked && (await endUnreadable(tenant, read, locked, clock.now()));
    if (owner) await recordReferral(tenant, owner, snapshot, { askedAt, now: clock.now() });
    crashPoint("referral.before-commit");
    const of = { kind: "referral", sourceUuid: uuid } as const;
    const isKept = isPastForm(snapshot) && (await tenant.documents.hasCurrent(of));
    // Only now is it known whose an event's look is: the PDF comes in the order's own trace.
    const trace = owner && (await tenant.jobs.traceOf({ shop, requestId: owner.id }));
    return owner && { request: owner, isKept, trace };
  });
  if (!found) return { kind: "foreign" };
  const { request, isKept, trace } = found;
  crashPoint("referral.after-commit");
  // The address of a form gives the old form while a new one is being made.
  const isOld = isBeingRemade(snapshot) || isKept;
  const url = isOld ? null : snapshot.referralAttachment;
  const awaited = { shop, request, kind: "referral", sourceUuid: uuid } as const;
  if (isFormToCome(snapshot) && !url && snapshot.deletedAt === null)
    await awaitDocument(ports, awaited);
  const source = { ...awaited, askedAt, updatedAt: snapshot.updatedAt, partial: false } as const;
  const document = url
    ? await goOnIn(trace, "store-document", () => storeDocument(ports, { ...source, url }))
    : false;
  return { kind: "stored", status: snapshot.status, document };
}

/**
 * Matched by our own reference number, or by our id in its metadata, within the environment that we asked: ids
 * of one mean nothing in the other.
 */
async function lockedRequestOf(
  tenant: Tenant,
  environment: Environment,
  { uuid, referenceNumber, metadata }: ReferralSnapshot,
): Promise<ReferralRequest | null> {
  const named = readUuid(metadata?.requestId);
  const locked = async (id: string | undefined) =>
    id === undefined ? null : tenant.requests.findForUpdate(id);
  const numbered = async () =>
    referenceNumber ? tenant.requests.findByReferenceNumber(referenceNumber) : null;
  const request =
    (await tenant.requests.findOfReferralForUpdate(uuid)) ??
    (await locked((await numbered())?.id)) ??
    (await locked(named));
  return request && request.environment === environment ? request : null;
}
