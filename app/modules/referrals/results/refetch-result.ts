import { crashPoint } from "../../../platform/crash-points.ts";
import { goOnIn } from "../../../platform/traces.ts";
import type { ShopDomain } from "../../kernel/ids.ts";
import type { Environment } from "../../shops/connection.ts";
import { awaitDocument } from "../documents/awaited-document.ts";
import { type DocumentPorts, storeDocument } from "../documents/store-document.ts";
import type { Ports } from "../ports.ts";
import { endUnreadable } from "../referrals/record-unreadable-own.ts";
import type { RefetchOutcome } from "../referrals/refetch-referral.ts";
import type { ReferralRequest } from "../request.ts";
import type { ResultSnapshot } from "../snapshots.ts";
import type { Tenant } from "../tenant.ts";
import { MovedResult, withholdMoved } from "./moved-result.ts";
import { recordResult } from "./record-result.ts";
import { isPartial } from "./release.ts";

/**
 * Reads one result from the service, overwrites what is stored of it, decides about its release and brings
 * its PDF. Every fetch returns the whole result (interface §1.3), so nothing is merged. `connecting`: for whoever asked for
 * the connection a moment ago.
 */
export async function refetchResult(
  ports: DocumentPorts & Pick<Ports, "services">,
  { shop, environment, uuid }: { shop: ShopDomain; environment: Environment; uuid: string },
  connecting = ports.services.forConnection(shop, environment),
): Promise<RefetchOutcome> {
  const { tenancy, clock } = ports;
  const service = await connecting;
  if (!service) return { kind: "no_connection" };
  const askedAt = clock.now();
  const snapshot = await service.getResult(uuid);
  if (!snapshot) return { kind: "not_found" };
  crashPoint("result.after-fetch");
  const read = tenancy.inShop(shop, async (tenant) => {
    // The lock keeps the stored facts still on which the release decides.
    const locked = await lockedRequestOf(tenant, environment, snapshot);
    const answer = { environment, kind: "result", uuid, unread: snapshot.unread } as const;
    const owner = locked && (await endUnreadable(tenant, answer, locked, clock.now()));
    const { mailWindowMs } = ports.waits;
    if (owner)
      await recordResult(tenant, owner, snapshot, { askedAt, now: clock.now(), mailWindowMs });
    crashPoint("result.before-commit");
    return (
      owner && { request: owner, trace: await tenant.jobs.traceOf({ shop, requestId: owner.id }) }
    );
  });
  const found = await read.catch(async (error) => {
    // Its own transaction: the other one locks the test that it is given to, and is undone.
    if (error instanceof MovedResult)
      await tenancy.inShop(shop, (tenant) =>
        withholdMoved(tenant, snapshot, { askedAt, now: clock.now() }),
      );
    throw error;
  });
  if (!found) return { kind: "foreign" };
  const { request, trace } = found;
  crashPoint("result.after-commit");
  const url = snapshot.deletedAt === null ? snapshot.resultAttachment : null;
  const awaited = { shop, request, kind: "result", sourceUuid: uuid } as const;
  if (!url && snapshot.deletedAt === null) await awaitDocument(ports, awaited);
  const source = { ...awaited, askedAt, updatedAt: snapshot.updatedAt };
  const document = url
    ? await goOnIn(trace, "store-document", () =>
        storeDocument(ports, { ...source, partial: isPartial(snapshot), url }),
      )
    : false;
  return { kind: "stored", status: snapshot.status, document };
}

async function lockedRequestOf(
  tenant: Tenant,
  environment: Environment,
  snapshot: ResultSnapshot,
): Promise<ReferralRequest | null> {
  const known = await tenant.requests.findOfReferralForUpdate(snapshot.referralUuid);
  if (known || !snapshot.referenceNumber) return known;
  const request = await tenant.requests.findByReferenceNumber(snapshot.referenceNumber);
  return request?.environment === environment ? tenant.requests.findForUpdate(request.id) : null;
}
