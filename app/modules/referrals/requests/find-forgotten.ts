import type { ShopDomain } from "../../kernel/ids.ts";
import type { TimelineKind } from "../../kernel/timeline.ts";
import type { Ports } from "../ports.ts";
import { lastingFailureOf } from "../record-unresolved.ts";
import type { CreateOutcome } from "../referral-service.ts";
import { recordReferral } from "../referrals/record-referral.ts";
import type { ReferralRequest } from "../request.ts";
import type { ReferralSnapshot } from "../snapshots.ts";
import type { Tenant } from "../tenant.ts";
import { FORMER_UNREADABLE, formerRequests } from "./former-referrals.ts";
import { openConnection } from "./open-connection.ts";
import { findReferrals, nothingSeen, recordSeen } from "./search-list.ts";

/** Lines of these kinds stay when others end (`end_timeline`, prisma/access.sql). */
const ANSWER_LOST: readonly string[] = [
  "create_unknown",
  "create_interrupted",
] satisfies TimelineKind[];

/**
 * Stores the referrals of a unit's earlier orders that nothing but the service's list tells of, before the unit is sent again: the answer
 * to a call got lost, and what it created came late. A referral that can be used then keeps the unit from being sent, as each that is known
 * (former-referrals.ts). Nothing is sent when the list cannot be read: it throws where that may pass, and returns why a person is needed
 * where it will not. Null once each list was read.
 */
export async function findForgotten(
  ports: Pick<Ports, "tenancy" | "services" | "clock" | "logger">,
  shop: ShopDomain,
  unclear: readonly ReferralRequest[],
): Promise<CreateOutcome | null> {
  const { tenancy, clock } = ports;
  for (const former of unclear) {
    const { environment } = former;
    const opened = await openConnection(ports, shop, former);
    if ("kind" in opened) return opened;
    const { service } = opened;
    const askedAt = clock.now();
    const whole = { ...former, missingPart: null };
    const seen = nothingSeen();
    const found = await findReferrals(service, whole, { seen, isProof: true }).catch(
      (error: unknown) => {
        if (lastingFailureOf(error) === null) throw error;
        return null;
      },
    );
    await tenancy.inShop(shop, async (tenant) => {
      await recordSeen(tenant, environment, seen, clock.now());
      if (found) await record(tenant, former, found, { askedAt, clock });
    });
    if (!found) return FORMER_UNREADABLE;
  }
  return null;
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
