import { crashPoint } from "../../platform/crash-points.ts";
import { ReferralServiceError } from "../../platform/errors.ts";
import { isSealedShut } from "../../platform/key-troubles.ts";
import type { ShopDomain } from "../kernel/ids.ts";
import { CONNECTION_UNREADABLE } from "../shops/connection.ts";
import { apply } from "./apply.ts";
import { REPORTING_GRACE_MS } from "./create-referral.ts";
import type { Ports } from "./ports.ts";
import { lastingFailureOf, recordUnresolved } from "./record-unresolved.ts";
import type { ReferralRequest } from "./request.ts";
import { cancelIfRequested } from "./requests/cancel-if-requested.ts";
import { tellFirstStatuses } from "./requests/first-status.ts";
import { linkReferrals } from "./requests/link-referrals.ts";
import { mayBeElsewhere } from "./requests/other-client.ts";
import { findReferrals, nothingSeen, recordSeen } from "./requests/search-list.ts";
import type { ReferralSnapshot } from "./snapshots.ts";
import type { Tenant } from "./tenant.ts";

export type ResolveOutcome =
  | { kind: "linked"; uuids: string[] }
  | { kind: "scan_again"; at: Date }
  | { kind: "resend" }
  | { kind: "needs_person" }
  /** The store took the unit back meanwhile, and nothing exists at the service. */
  | { kind: "cancelled" }
  /** Nothing is sent: the date of birth that was given meanwhile is under the minimum age. */
  | { kind: "under_age" }
  /** Sending is paused, and an attempt that a restored database has forgotten may be under way. */
  | { kind: "paused" }
  | { kind: "nothing_to_resolve" };

const SCANS_BEFORE_RESEND = 2;

/**
 * Finds out what became of a create call whose answer never came (ledger rule 5): the service's own list
 * tells. Found → linked. Absent in two complete scans, the second after a quarantine → sent once more, or
 * left to a person in strict mode, or when another client's credentials were saved meanwhile. Throws when the
 * list cannot be read to its end, so that it is tried again: an incomplete scan proves nothing. Where trying again
 * cannot help, a person is told.
 */
export async function resolveAmbiguous(
  ports: Pick<Ports, "tenancy" | "services" | "clock" | "waits">,
  { shop, requestId }: { shop: ShopDomain; requestId: string },
): Promise<ResolveOutcome> {
  const { tenancy, services, clock } = ports;
  const request = await tenancy.inShop(shop, (tenant) =>
    ambiguousRequest(tenant, requestId, clock.now()),
  );
  if (!request) return { kind: "nothing_to_resolve" };
  const failed = (code: string) =>
    tenancy.inShop(shop, (tenant) => {
      const now = clock.now();
      const quarantineEnds = quarantineEnd(ports, request, new Date(0));
      return recordUnresolved(tenant, request, { code, quarantineEnds, now });
    });
  const service = await services
    .forConnection(shop, request.environment)
    .catch(async (error: unknown) => {
      if (isSealedShut(error)) await failed(CONNECTION_UNREADABLE);
      throw error;
    });
  if (!service) {
    await failed("no_connection");
    return { kind: "nothing_to_resolve" };
  }
  crashPoint("resolve.after-overdue");
  const scannedAt = clock.now();
  const seen = nothingSeen();
  const recordEntries = () =>
    tenancy.inShop(shop, (tenant) => recordSeen(tenant, request.environment, seen, clock.now()));
  const isProof = scannedAt >= quarantineEnd(ports, request, scannedAt);
  const search = findReferrals(service, request, { seen, isProof });
  const found = await search.catch(async (error: unknown) => {
    await recordEntries();
    const code = lastingFailureOf(error);
    if (code !== null) await failed(code);
    throw error;
  });
  crashPoint("resolve.after-scan");
  await recordEntries();
  const outcome = await tenancy.inShop(shop, (tenant) =>
    found.length > 0
      ? link(tenant, request, found, clock.now())
      : countEmptyScan(ports, tenant, request, scannedAt),
  );
  if (!outcome) {
    await failed("contract_mismatch");
    throw new ReferralServiceError("contract_mismatch", "a referral of ours has another's uuid");
  }
  crashPoint("resolve.after-commit");
  return outcome;
}

/**
 * Until when an attempt may still become something at the service. Time that the clock leapt over has not passed for the service:
 * the wait then begins anew.
 */
function quarantineEnd(
  { clock, waits: { quarantineMs } }: Pick<Ports, "clock" | "waits">,
  { attemptDeadlineAt }: ReferralRequest,
  without: Date,
): Date {
  const from = Math.max(
    (attemptDeadlineAt ?? without).getTime(),
    clock.leaptAt?.()?.getTime() ?? Number.NEGATIVE_INFINITY,
  );
  return new Date(from + quarantineMs);
}

/** The request when its attempt is unclear; an overdue sender makes it so. */
async function ambiguousRequest(
  tenant: Tenant,
  requestId: string,
  now: Date,
): Promise<ReferralRequest | null> {
  // Two workers may come at once, when the slow one was taken for dead. The second finds what the first has made of
  // the request.
  const request = await tenant.requests.findForUpdate(requestId);
  if (request?.state === "ambiguous") return request;
  if (request?.state !== "sending") return null;
  const overdueAt = new Date((request.attemptDeadlineAt?.getTime() ?? 0) + REPORTING_GRACE_MS);
  // Come too early, by another machine's clock or by a person's hand: it is looked for again (queue/silent-senders.ts).
  if (overdueAt > now) return null;
  await tenant.timeline.add({
    kind: "create_interrupted",
    actor: "pathway",
    at: now,
    orderId: request.orderId,
    requestId,
    detail: { attempt: request.attempt },
  });
  const by = { actor: "pathway", at: now } as const;
  return (await apply(tenant, requestId, { kind: "overdue" }, by))?.request ?? null;
}

/** Null when what has our number is stored for another request, so that only a person can tell which it is. */
async function link(
  tenant: Tenant,
  request: ReferralRequest,
  found: ReferralSnapshot[],
  now: Date,
): Promise<ResolveOutcome | null> {
  crashPoint("resolve.before-adopt");
  const uuids = found.map((referral) => referral.uuid);
  const news = await linkReferrals(tenant, request, found, now);
  if (!news) return null;
  await tenant.timeline.add({
    kind: "scan_found",
    actor: "pathway",
    at: now,
    orderId: request.orderId,
    requestId: request.id,
    detail: { attempt: request.attempt, uuids: uuids.join(" ") },
  });
  await tellFirstStatuses(tenant, request, news, { actor: "service", at: now });
  return { kind: "linked", uuids };
}

async function countEmptyScan(
  ports: Pick<Ports, "waits" | "clock">,
  tenant: Tenant,
  request: ReferralRequest,
  scannedAt: Date,
): Promise<ResolveOutcome> {
  const { id: requestId, orderId, attempt } = request;
  const now = ports.clock.now();
  const quarantineEnds = quarantineEnd(ports, request, now);
  const afterQuarantine = scannedAt >= quarantineEnds;
  // Only a scan after the quarantine counts as the last one.
  const emptyScans = afterQuarantine
    ? request.emptyScans + 1
    : Math.min(request.emptyScans + 1, SCANS_BEFORE_RESEND - 1);
  const entry = { actor: "pathway" as const, at: now, orderId, requestId };
  // A scan of one attempt says nothing about the next, which may have begun while it was read.
  const settle = (kind: "scan_counted" | "left_to_person" | "proved_unsent") =>
    apply(tenant, requestId, { kind, attempt, emptyScans }, entry);
  // A look that counts as none says nothing new, and there may be many.
  if (emptyScans > request.emptyScans)
    await tenant.timeline.add({
      ...entry,
      kind: "scan_empty",
      detail: { attempt, scan: emptyScans, afterQuarantine },
    });
  if (emptyScans < SCANS_BEFORE_RESEND) {
    if (!(await settle("scan_counted"))) return { kind: "nothing_to_resolve" };
    const at = quarantineEnds > now ? quarantineEnds : now;
    await tenant.jobs.enqueue(
      { name: "resolve-ambiguous", shop: tenant.shop, requestId },
      { startAfter: at },
    );
    crashPoint("resolve.before-count-commit");
    return { kind: "scan_again", at };
  }
  // Ledger rule 7. What waits is looked for once more when the service's lists have been walked.
  if ((await tenant.restores.holds(request.environment, request.referenceNumber)).isSendingPaused)
    return { kind: "paused" };
  const settings = await tenant.shops.find();
  // Reads the request again: its unit may have been cancelled while the list was read.
  const current = await tenant.requests.findForUpdate(requestId);
  const isDecision = settings?.strictMode && !current?.cancellation;
  // A request without its patient, or with a cancellation, can never be sent again: there is nothing to decide.
  if (current?.hasPatient && (isDecision || (await mayBeElsewhere(tenant, request)))) {
    await settle("left_to_person");
    await tenant.timeline.add({ ...entry, kind: "decision_needed", detail: { attempt } });
    return { kind: "needs_person" };
  }
  const unsent = await settle("proved_unsent");
  if (!unsent) return { kind: "nothing_to_resolve" };
  if (await cancelIfRequested(tenant, unsent.request, now)) return { kind: "cancelled" };
  if (unsent.request.state !== "ready") return { kind: "under_age" };
  await tenant.timeline.add({ ...entry, kind: "resend_allowed", detail: { attempt, emptyScans } });
  await tenant.jobs.enqueue({ name: "create-referral", shop: tenant.shop, requestId });
  crashPoint("resolve.before-resend-commit");
  return { kind: "resend" };
}
