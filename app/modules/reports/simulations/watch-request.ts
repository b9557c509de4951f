import type { ShopDomain } from "../../kernel/ids.ts";
import type { StoredReferral } from "../../referrals/referral-repository.ts";
import type { ReferralRequest } from "../../referrals/request.ts";
import { reasonKey } from "../../referrals/review-reason.ts";
import type { Ports } from "../ports.ts";
import type { Simulation } from "../simulation.ts";
import type { Tenant } from "../tenant.ts";

export type Progress =
  | { kind: "done" }
  | { kind: "waits" }
  /** A key of app/modules/reports/simulation-words.ts. */
  | { kind: "failed"; failure: string };

/** When no event has come by then, Pathway looks by itself, and goes on looking as often. */
const TIMEOUT_MS = 5_000;

/** Statuses that a referral without results does not leave by itself (interface §3). */
const DEAD_ENDS = new Set([
  "BILLING_FAILED",
  "PENDING_VERIFICATION",
  "INSUFFICIENT_DATA",
  "FAILED_TEST",
  "REFUNDED",
  "TRANSFERRED",
]);

/** Whether what the present step waits for has come: the referral, its form, or its results with their PDF. */
export async function lookAtTheService(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  shop: ShopDomain,
  simulation: Simulation,
): Promise<Progress> {
  return tenancy.inShop(shop, async (tenant): Promise<Progress> => {
    const [request] = await tenant.requests.forOrder(simulation.orderId);
    if (!request || request.state === "cancelled") return { kind: "failed", failure: "taken_back" };
    if (simulation.step === "create") return creation(request);
    const referrals = await tenant.referrals.forRequests([request.id]);
    const deadEnd = referrals.find((referral) => DEAD_ENDS.has(referral.status));
    if (deadEnd) return { kind: "failed", failure: `status:${deadEnd.status}` };
    const isHere =
      simulation.step === "form"
        ? await hasForms(tenant, request, referrals)
        : await hasReports(tenant, request, referrals);
    if (isHere) return { kind: "done" };
    await lookItUp(tenant, simulation, referrals, clock.now());
    return { kind: "waits" };
  });
}

function creation({ state, reviewReason, missingPart }: ReferralRequest): Progress {
  // A Medicare order may have one referral made and the other one refused.
  if (state === "created" && missingPart === null) return { kind: "done" };
  if (state === "rejected")
    return { kind: "failed", failure: reviewReason ? reasonKey(reviewReason) : "rejected" };
  if (reviewReason !== null) return { kind: "failed", failure: reasonKey(reviewReason) };
  return { kind: "waits" };
}

async function hasForms(tenant: Tenant, { id }: ReferralRequest, referrals: StoredReferral[]) {
  const documents = await tenant.documents.forRequests([id]);
  return referrals.every(({ uuid }) => documents.some(({ sourceUuid }) => sourceUuid === uuid));
}

async function hasReports(tenant: Tenant, { id }: ReferralRequest, referrals: StoredReferral[]) {
  const results = await tenant.results.forRequests([id]);
  const documents = await tenant.documents.forRequests([id]);
  return referrals.every(({ uuid }) => {
    const result = results.find((one) => one.referralUuid === uuid && !one.partial);
    return result && documents.some(({ sourceUuid }) => sourceUuid === result.uuid);
  });
}

/** Does what an event would have done, once for each time that patience ran out. */
async function lookItUp(
  tenant: Tenant,
  { stepSince }: Simulation,
  referrals: StoredReferral[],
  now: Date,
): Promise<void> {
  const waitedMs = now.getTime() - stepSince.getTime();
  if (waitedMs < TIMEOUT_MS) return;
  const turn = Math.floor(waitedMs / TIMEOUT_MS);
  const startAfter = new Date(stepSince.getTime() + turn * TIMEOUT_MS);
  for (const { uuid } of referrals)
    await tenant.jobs.enqueue(
      { name: "refetch-referral", shop: tenant.shop, environment: "staging", uuid },
      { startAfter },
    );
}

/** Asks the laboratory of the staging environment for results (interface §4.2, PUT). */
export async function makeUpResults(
  { tenancy, services, logger }: Pick<Ports, "tenancy" | "services" | "logger">,
  shop: ShopDomain,
  simulation: Simulation,
): Promise<Progress> {
  const service = await services.forConnection(shop, "staging");
  if (!service) return { kind: "failed", failure: "no_connection" };
  const referrals = await tenancy.inShop(shop, async (tenant) => {
    const [request] = await tenant.requests.forOrder(simulation.orderId);
    return request ? tenant.referrals.forRequests([request.id]) : [];
  });
  try {
    for (const { uuid } of referrals) await service.makeUpResults(uuid);
    return { kind: "done" };
  } catch (error) {
    // Tried again each second until the step's time is up; the merchant sees which step it is.
    logger.warn({ shop, simulationId: simulation.id, err: error }, "no made-up results yet");
    return { kind: "waits" };
  }
}
