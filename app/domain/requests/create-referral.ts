import type { ShopDomain } from "../ids.ts";
import { gidNumber } from "../ids.ts";
import type { Ports } from "../ports.ts";
import type { CreateOutcome, ReferralOrder } from "../referrals/referral-service.ts";
import { adoptReferrals } from "./adopt-referrals.ts";
import type { ReferralRequest } from "./request.ts";
import type { PatientOnRequest } from "./request-repository.ts";

export type CreateReferralOutcome =
  | { kind: "created"; uuids: string[] }
  | { kind: "rejected"; code: string }
  | { kind: "postponed"; until: Date | null }
  | { kind: "ambiguous" }
  /** Another sender has it, it was sent already, or it may not be sent. */
  | { kind: "not_due" };

type LedgerPorts = Pick<
  Ports,
  "tenancy" | "services" | "clock" | "waits" | "logger" | "emailByService"
>;

/** How long after its deadline a sender may still be writing down what it learnt. */
export const REPORTING_GRACE_MS = 5_000;
const RETRY_AFTER_MS = 30_000;

/**
 * Sends one request to the service, at most once at a time and never blindly again (docs/architecture.md,
 * "The ledger"). The attempt is committed before a byte leaves, so that whatever happens to this process,
 * the next one knows that something may have been created.
 */
export async function createReferral(
  ports: LedgerPorts,
  { shop, requestId }: { shop: ShopDomain; requestId: string },
): Promise<CreateReferralOutcome> {
  const claim = await claimRequest(ports, shop, requestId);
  if (claim.kind !== "claimed") return claim;
  const { request, patient, deadlineAt } = claim;
  const service = await ports.services.forConnection(shop, request.environment);
  const outcome: CreateOutcome = service
    ? await service.createReferral(referralOrder(shop, request, patient, ports.emailByService), {
        deadlineAt,
      })
    : { kind: "not_sent", reason: "no_connection", retryable: false, retryAfterMs: null };
  return recordOutcome(ports, shop, request, outcome);
}

type Claim =
  | { kind: "claimed"; request: ReferralRequest; patient: PatientOnRequest; deadlineAt: Date }
  | { kind: "not_due" }
  | { kind: "postponed"; until: Date | null };

/** Ledger rule 2: `sending`, with attempt and deadline, is on disk before a byte leaves. */
async function claimRequest(
  { tenancy, clock, waits }: LedgerPorts,
  shop: ShopDomain,
  requestId: string,
): Promise<Claim> {
  return tenancy.inShop(shop, async (tenant): Promise<Claim> => {
    const settings = await tenant.shops.find();
    const found = await tenant.requests.find(requestId);
    if (!settings?.installed || !found) return { kind: "not_due" };
    const now = clock.now();
    if (found.state === "sending") return watchSender(found, now);
    const patient = await tenant.requests.patientOf(requestId);
    if (!patient) return { kind: "not_due" };
    const deadlineAt = new Date(now.getTime() + waits.createTimeoutMs);
    const request = await tenant.requests.move(requestId, ["ready"], "sending", {
      attention: null,
      attempt: found.attempt + 1,
      attemptStartedAt: now,
      attemptDeadlineAt: deadlineAt,
      emptyScans: 0,
    });
    if (!request) return { kind: "not_due" };
    await tenant.timeline.add({
      kind: "create_started",
      actor: "pathway",
      at: now,
      orderId: request.orderId,
      requestId,
      detail: { attempt: request.attempt, deadlineAt: deadlineAt.toISOString() },
    });
    // Should this process die, this job finds the attempt overdue and has it resolved.
    const overdueAt = new Date(deadlineAt.getTime() + REPORTING_GRACE_MS);
    await tenant.jobs.enqueue(
      { name: "resolve-ambiguous", shop, requestId },
      { startAfter: overdueAt },
    );
    return { kind: "claimed", request, patient, deadlineAt };
  });
}

function watchSender(request: ReferralRequest, now: Date): Claim {
  const overdueAt = (request.attemptDeadlineAt?.getTime() ?? 0) + REPORTING_GRACE_MS;
  return overdueAt > now.getTime()
    ? { kind: "postponed", until: new Date(overdueAt) }
    : { kind: "not_due" };
}

function referralOrder(
  shop: ShopDomain,
  request: ReferralRequest,
  { patient, medicare }: PatientOnRequest,
  emailReferralToCustomer: boolean,
): ReferralOrder {
  return {
    patient,
    items: request.items,
    medicare,
    referenceNumber: request.referenceNumber,
    // For correlation only: no health data, nobody's name (ledger rule 1).
    metadata: {
      shop,
      requestId: request.id,
      orderId: gidNumber(request.orderId),
      lineItemId: gidNumber(request.lineItemId),
      unit: request.unit,
      generation: request.generation,
    },
    emailReferralToCustomer,
  };
}

/** Ledger rule 4: what an answer proves, and nothing more. */
async function recordOutcome(
  { tenancy, clock, logger }: LedgerPorts,
  shop: ShopDomain,
  request: ReferralRequest,
  outcome: CreateOutcome,
): Promise<CreateReferralOutcome> {
  const now = clock.now();
  const { id: requestId, orderId, attempt } = request;
  const entry = { actor: "service" as const, at: now, orderId, requestId };
  logger.info({ shop, requestId, attempt, outcome: outcome.kind }, "create referral");
  return tenancy.inShop(shop, async (tenant): Promise<CreateReferralOutcome> => {
    switch (outcome.kind) {
      case "created": {
        await adoptReferrals(tenant, request, outcome.referrals, now);
        const uuids = outcome.referrals.map((referral) => referral.uuid);
        await tenant.timeline.add({
          ...entry,
          kind: "create_succeeded",
          detail: { attempt, uuids: uuids.join(" ") },
        });
        return { kind: "created", uuids };
      }
      case "rejected": {
        await tenant.requests.move(requestId, ["sending"], "rejected", {
          attention: `rejected:${outcome.code}`,
        });
        const { status, code } = outcome;
        await tenant.timeline.add({
          ...entry,
          kind: "create_rejected",
          detail: { attempt, status, code },
        });
        return { kind: "rejected", code };
      }
      case "not_sent": {
        const until = outcome.retryable
          ? new Date(now.getTime() + (outcome.retryAfterMs ?? RETRY_AFTER_MS))
          : null;
        await tenant.requests.move(requestId, ["sending"], "ready", {
          attention: outcome.retryable ? null : `not_sent:${outcome.reason}`,
        });
        await tenant.timeline.add({
          ...entry,
          kind: "create_not_sent",
          detail: { attempt, reason: outcome.reason, retryable: outcome.retryable },
        });
        if (until)
          await tenant.jobs.enqueue(
            { name: "create-referral", shop, requestId },
            { startAfter: until },
          );
        return { kind: "postponed", until };
      }
      case "unknown": {
        await tenant.requests.move(requestId, ["sending"], "ambiguous");
        await tenant.timeline.add({
          ...entry,
          kind: "create_unknown",
          detail: { attempt, reason: outcome.reason },
        });
        await tenant.jobs.enqueue({ name: "resolve-ambiguous", shop, requestId });
        return { kind: "ambiguous" };
      }
    }
  });
}
