import { createDelay } from "../../platform/counters.ts";
import { crashPoint } from "../../platform/crash-points.ts";
import { together } from "../../platform/together.ts";
import type { ShopDomain } from "../kernel/ids.ts";
import { gidNumber } from "../kernel/ids.ts";
import { findInstalled } from "../shops/find-installed.ts";
import { apply } from "./apply.ts";
import { isHeldForRisk, type OrderRisk } from "./order-risk.ts";
import type { Ports } from "./ports.ts";
import type { CreateOutcome, ReferralOrder } from "./referral-service.ts";
import type { ReferralRequest } from "./request.ts";
import type { PatientOnRequest } from "./request-repository.ts";
import { cancelIfRequested } from "./requests/cancel-if-requested.ts";
import { findForgotten, unclearBefore } from "./requests/find-forgotten.ts";
import { formerReferrals, HELD_BY_FORMER, heldByFormer } from "./requests/former-referrals.ts";
import { openConnection } from "./requests/open-connection.ts";
import { type CreateReferralOutcome, recordOutcome } from "./requests/record-outcome.ts";
import { recoveryLowerBound } from "./requests/recovery-lower-bound.ts";
import { itemsToSend } from "./requests/referral-parts.ts";
import type { Tenant } from "./tenant.ts";

type LedgerPorts = Pick<
  Ports,
  "tenancy" | "services" | "clock" | "waits" | "logger" | "emailByService" | "orderRisk"
>;

/** How long after its deadline a sender may still be writing down what it learnt. */
export const REPORTING_GRACE_MS = 5_000;

/**
 * Sends one request to the service, at most once at a time and never blindly again (docs/architecture.md,
 * "The ledger"). The attempt is committed before a byte leaves, so that whatever happens to this process,
 * the next one knows that something may have been created.
 */
export async function createReferral(
  ports: LedgerPorts,
  { shop, requestId }: { shop: ShopDomain; requestId: string },
): Promise<CreateReferralOutcome> {
  const risk = await readRisk(ports, shop, requestId);
  let claim = await claimRequest(ports, { shop, requestId, risk });
  let held: CreateOutcome | null = null;
  if (claim.kind === "unclear") {
    held = await findForgotten(ports, shop, claim.former);
    claim = await claimRequest(ports, { shop, requestId, risk, isSearched: true });
  }
  if (claim.kind === "unclear") throw new Error("A search was asked for twice");
  if (claim.kind !== "claimed") return claim;
  crashPoint("create.after-claim-commit");
  const { request, former, patient, clinicalNotes, deadlineAt } = claim;
  const emailReferralToCustomer = claim.emailByService ?? ports.emailByService;
  const order = referralOrder(shop, request, {
    ...patient,
    clinicalNotes,
    emailReferralToCustomer,
  });
  // Claimed all the same: so it is told, counted and looked at again as each attempt that could not be sent.
  const outcome = held ?? (await send(ports, { shop, request, former, order, deadlineAt }));
  crashPoint("create.after-answer");
  ports.logger.info({ shop, requestId, attempt: request.attempt, outcome: outcome.kind }, "create");
  const now = ports.clock.now();
  const recorded = await ports.tenancy.inShop(shop, async (tenant) => {
    const proven = await recordOutcome(tenant, request, outcome, now);
    // The pages of the former ones follow.
    const { environment } = request;
    for (const uuid of outcome === HELD_BY_FORMER ? former : [])
      await tenant.jobs.enqueue({ name: "refetch-referral", shop, environment, uuid });
    crashPoint("create.before-record-commit");
    return proven;
  });
  crashPoint("create.after-record");
  return recorded;
}

async function send(
  ports: LedgerPorts,
  call: {
    shop: ShopDomain;
    request: ReferralRequest;
    former: string[];
    order: ReferralOrder;
    deadlineAt: Date;
  },
): Promise<CreateOutcome> {
  const { shop, request, former, order, deadlineAt } = call;
  const opened = await openConnection(ports, shop, request);
  if ("kind" in opened) return opened;
  const { service } = opened;
  return (await heldByFormer(service, former)) ?? service.createReferral(order, { deadlineAt });
}

type Claiming = {
  shop: ShopDomain;
  requestId: string;
  risk: OrderRisk | null;
  isSearched?: boolean;
};
type Claim =
  | {
      kind: "claimed";
      request: ReferralRequest;
      /** The referrals that its unit had before. */
      former: string[];
      patient: PatientOnRequest;
      clinicalNotes: string | null;
      deadlineAt: Date;
      /** The shop's own wish; null: as the installation says. */
      emailByService: boolean | null;
    }
  /** Earlier orders of its unit, of which the service's list may hold more than is known. */
  | { kind: "unclear"; former: ReferralRequest[] }
  | Extract<CreateReferralOutcome, { kind: "not_due" | "postponed" | "cancelled" }>;

/**
 * Asks Shopify for its assessment of the order that is about to be sent, or waits because of it. Null when it bears upon
 * nothing: a person has released it, the shop holds no such orders, or this is no request to be sent; what is held then
 * stays so. Rejects when Shopify does not answer, and nothing is sent then.
 */
async function readRisk(
  { tenancy, orderRisk }: LedgerPorts,
  shop: ShopDomain,
  requestId: string,
): Promise<OrderRisk | null> {
  const asked = await tenancy.inShop(shop, async (tenant) => {
    const [settings, request] = await together(
      () => tenant.shops.find(),
      () => tenant.requests.find(requestId),
    );
    if (!settings?.installed || !request?.hasPatient || request.riskAccepted) return null;
    const isHeld = isHeldForRisk(request);
    // The shop holds such orders no more: what waits goes on.
    if (!settings.holdHighRisk) return isHeld ? "clear" : null;
    return isHeld || request.state === "ready" ? { orderId: request.orderId, isHeld } : null;
  });
  if (asked === null || asked === "clear") return asked;
  const risk = await orderRisk.assess(shop, asked.orderId);
  // A made-up order of the admin is none of the store's. One that was held has left it, and nobody cleared it.
  return risk ?? (asked.isHeld ? null : "clear");
}

/** While Shopify assesses an order, it is looked at again so often; a message tells sooner. */
const PENDING_RISK_MS = 5 * 60_000;

/** Notes what Shopify says of the order's risk. Returns whether the request may be sent now. */
async function maySend(
  tenant: Tenant,
  { id: requestId, state }: ReferralRequest,
  { risk, now }: { risk: OrderRisk; now: Date },
): Promise<boolean> {
  // Nothing to note. Should somebody hold it meanwhile, it cannot be claimed.
  if (risk === "clear" && state === "ready") return true;
  await apply(tenant, requestId, { kind: "risk_read", risk }, { actor: "shopify", at: now });
  const isHeld = (await tenant.requests.find(requestId))?.state === "held";
  if (isHeld && risk === "pending")
    await tenant.jobs.enqueue(
      { name: "create-referral", shop: tenant.shop, requestId },
      { startAfter: new Date(now.getTime() + PENDING_RISK_MS) },
    );
  return !isHeld;
}

/**
 * The details that an order is sent with: those given last. Where one part of a Medicare order exists, they may be on their way
 * to it as a correction, and the other part has them from the beginning.
 */
async function patientToSend(
  tenant: Tenant,
  { id, missingPart }: ReferralRequest,
): Promise<PatientOnRequest | null> {
  const given = await tenant.requests.patientOf(id);
  const correction = missingPart === null ? null : await tenant.corrections.pending(id);
  return given && correction ? { ...given, patient: correction.patient } : given;
}

/** Ledger rule 2: `sending`, with attempt and deadline, is on disk before a byte leaves. */
async function claimRequest(
  { tenancy, clock, waits }: LedgerPorts,
  { shop, requestId, risk, isSearched = false }: Claiming,
): Promise<Claim> {
  return tenancy.inShop(shop, async (tenant): Promise<Claim> => {
    // Not locked yet: whoever waits for an install holds no request, for the install may wait for that.
    const [settings, found] = await together(
      () => findInstalled(tenant),
      () => tenant.requests.find(requestId),
    );
    if (!settings || !found) return { kind: "not_due" };
    const now = clock.now();
    if (found.state === "sending") return watchSender(found, now);
    if (!found.hasPatient) return { kind: "not_due" };
    if (risk && !(await maySend(tenant, found, { risk, now }))) return { kind: "not_due" };
    const [restore, lowerBound] = await together(
      () => tenant.restores.holds(found.environment, found.referenceNumber),
      async () =>
        found.recoveryLowerBound ?? (await recoveryLowerBound(tenant, found.environment, now)),
      () => tenant.requests.findForUpdate(requestId),
    );
    // Ledger rule 7. What waits is taken up when the service's lists have been walked.
    if (restore.isSendingPaused) return { kind: "postponed", until: null };
    for (const uuid of restore.uuids)
      await tenant.jobs.enqueue({
        name: "refetch-referral",
        shop,
        environment: found.environment,
        uuid,
      });
    // Sent before the restore: the refetch makes it this request's own.
    if (restore.uuids.length > 0) return { kind: "postponed", until: null };
    if (found.state === "ready" && (await cancelIfRequested(tenant, found, now)))
      return { kind: "cancelled" };
    const unclear = isSearched ? [] : await unclearBefore(tenant, found);
    if (unclear.length > 0) return { kind: "unclear", former: unclear };
    const deadlineAt = new Date(now.getTime() + waits.createTimeoutMs);
    const event = {
      kind: "claimed",
      at: now,
      deadlineAt,
      recoveryLowerBound: lowerBound,
    } as const;
    const claimed = await apply(tenant, requestId, event, { actor: "pathway", at: now });
    if (!claimed) return { kind: "not_due" };
    const { request } = claimed;
    // A request that was held for a person, or tried before, has waited for others than us.
    if (found.attempt === 0) createDelay.observe({}, now.getTime() - found.updatedAt.getTime());
    // Read after the claim, which waits for a correction that is just being saved.
    const patient = await patientToSend(tenant, request);
    if (!patient) throw new Error("A request lost its patient while it was claimed");
    await tenant.accessLog.add({ at: now, who: "job", what: "details_sent", requestId });
    await tenant.timeline.add({
      kind: "create_started",
      actor: "pathway",
      at: now,
      orderId: request.orderId,
      requestId,
      detail: { attempt: request.attempt, deadlineAt: deadlineAt.toISOString() },
    });
    // Should this process die, the attempt is found once it is overdue (queue/silent-senders.ts).
    crashPoint("create.before-claim-commit");
    const { emailByService } = settings;
    const clinicalNotes = await clinicalNotesOf(tenant, request);
    const former = await formerReferrals(tenant, request);
    const claim = { kind: "claimed", request, former, patient } as const;
    return { ...claim, clinicalNotes, deadlineAt, emailByService };
  });
}

function watchSender(request: ReferralRequest, now: Date): Claim {
  const overdueAt = (request.attemptDeadlineAt?.getTime() ?? 0) + REPORTING_GRACE_MS;
  return overdueAt > now.getTime()
    ? { kind: "postponed", until: new Date(overdueAt) }
    : { kind: "not_due" };
}

/** Reads the practitioner's notes to what the form orders, as they are when it is ordered (`MappingFacts.textsOf`). */
async function clinicalNotesOf(tenant: Tenant, request: ReferralRequest): Promise<string | null> {
  const items = itemsToSend(request);
  if (items.medicareTests.length === 0) return null;
  const { environment, orderId, lineItemId } = request;
  const sold = await tenant.orders.variantOf(orderId, lineItemId);
  const [texts] = sold ? await tenant.mappings.textsOf(environment, [{ sold, items }]) : [];
  return texts?.clinicalNotes || null;
}

function referralOrder(
  shop: ShopDomain,
  request: ReferralRequest,
  told: PatientOnRequest & Pick<ReferralOrder, "clinicalNotes" | "emailReferralToCustomer">,
): ReferralOrder {
  return {
    ...told,
    items: itemsToSend(request),
    referenceNumber: request.referenceNumber,
    metadata: orderMetadata(shop, request),
  };
}

/** Returns a referral's metadata. It serves correlation only: no health data, nobody's name (ledger rule 1). */
export function orderMetadata(
  shop: ShopDomain,
  request: Pick<ReferralRequest, "id" | "orderId" | "lineItemId" | "unit" | "generation">,
): ReferralOrder["metadata"] {
  return {
    shop,
    requestId: request.id,
    orderId: gidNumber(request.orderId),
    lineItemId: gidNumber(request.lineItemId),
    unit: request.unit,
    generation: request.generation,
  };
}
