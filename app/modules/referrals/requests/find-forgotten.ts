import type { ShopDomain } from "../../kernel/ids.ts";
import type { TimelineKind } from "../../kernel/timeline.ts";
import type { Ports } from "../ports.ts";
import { recordReferral } from "../referrals/record-referral.ts";
import type { ReferralRequest } from "../request.ts";
import type { ReferralSnapshot } from "../snapshots.ts";
import type { Tenant } from "../tenant.ts";
import { formerRequests } from "./former-referrals.ts";
import { findReferrals } from "./search-list.ts";

const ANSWER_LOST: readonly string[] = [
  "create_unknown",
  "create_interrupted",
] satisfies TimelineKind[];

/**
 * Stores the referrals of a unit's earlier orders that nothing but the service's list tells of, before the unit is sent again: the answer
 * to a call got lost, and what it created came late. A referral that can be used then keeps the unit from being sent, as each that is known
 * (former-referrals.ts). Throws when the list cannot be read: nothing is sent then.
 */
export async function findForgotten(
  { tenancy, services, clock }: Pick<Ports, "tenancy" | "services" | "clock">,
  shop: ShopDomain,
  unclear: readonly ReferralRequest[],
): Promise<void> {
  for (const former of unclear) {
    const service = await services.forConnection(shop, former.environment);
    if (!service) return;
    const askedAt = clock.now();
    const whole = { ...former, missingPart: null };
    const found = await findReferrals(service, whole, { unreadable: [], read: [] });
    await tenancy.inShop(shop, (tenant) => record(tenant, former, found, { askedAt, clock }));
  }
}

/** The earlier orders of a unit that is about to be sent, of which an answer got lost. */
export async function unclearBefore(
  tenant: Tenant,
  request: ReferralRequest,
): Promise<ReferralRequest[]> {
  const former = await formerRequests(tenant, request);
  if (former.length === 0) return [];
  const story = await tenant.timeline.forOrder(request.orderId);
  const lost = story.filter(({ kind }) => ANSWER_LOST.includes(kind));
  return former.filter(
    (one) =>
      one.environment === request.environment && lost.some((entry) => entry.requestId === one.id),
  );
}

async function record(
  tenant: Tenant,
  former: ReferralRequest,
  found: ReferralSnapshot[],
  { askedAt, clock }: { askedAt: Date } & Pick<Ports, "clock">,
): Promise<void> {
  const { environment } = former;
  for (const snapshot of found) {
    const { uuid } = snapshot;
    const owner = await tenant.requests.findForUpdate(former.id);
    if (!owner || (await tenant.referrals.find(uuid))) continue;
    await recordReferral(tenant, owner, snapshot, { askedAt, now: clock.now() });
    await tenant.jobs.enqueue({ name: "refetch-referral", shop: tenant.shop, environment, uuid });
  }
}
