import { randomUUID } from "node:crypto";
import type { OrderId, ShopDomain } from "../kernel/ids.ts";
import type { Actor } from "../kernel/timeline.ts";
import { STAFF_MINUTES } from "../patients/collection-notice.ts";
import type { ReferralRequest } from "../referrals/request.ts";
import { type NotAllowed, refuseUnlessAllowed } from "../shops/may-do.ts";
import type { Ports } from "./ports.ts";
import type { StaffAccessReason } from "./staff-access.ts";
import type { Tenant } from "./tenant.ts";

const SHOWN_FOR_MS = STAFF_MINUTES * 60_000;

export type StaffAccessOutcome = { kind: "opened" } | { kind: "nothing_to_show" } | NotAllowed;

/**
 * Lets one member of staff see the results of one request for a quarter of an hour. Who, when and why is
 * written down first, where neither staff nor this program can change it, and stands in the order's timeline. Their role
 * must let them see results.
 */
export async function openStaffAccess(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  wish: {
    shop: ShopDomain;
    orderId: OrderId;
    requestId: string;
    actor: Actor;
    reason: StaffAccessReason;
    caseNumber: string | null;
  },
): Promise<StaffAccessOutcome> {
  const { shop, orderId, requestId, actor, reason, caseNumber } = wish;
  return tenancy.inShop(shop, async (tenant) => {
    const request = await tenant.requests.find(requestId);
    const results = await tenant.results.forRequests([requestId]);
    if (request?.orderId !== orderId || results.length === 0) return { kind: "nothing_to_show" };
    if (request.resultsHiddenAt) return { kind: "nothing_to_show" };
    const openedAt = clock.now();
    const place = { at: openedAt, requestId };
    const refused = await refuseUnlessAllowed(tenant, actor, "see_results", place);
    if (refused) return refused;
    await openLook(tenant, request, { actor, reason, caseNumber, openedAt });
    return { kind: "opened" };
  });
}

/** Opens one look, and writes it down. The caller has asked whether it may be opened. */
export async function openLook(
  tenant: Tenant,
  { id: requestId, orderId }: Pick<ReferralRequest, "id" | "orderId">,
  look: {
    actor: Actor;
    reason: StaffAccessReason;
    caseNumber: string | null;
    openedAt: Date;
  },
): Promise<void> {
  const { actor, reason, caseNumber, openedAt } = look;
  const until = new Date(openedAt.getTime() + SHOWN_FOR_MS);
  const id = randomUUID();
  await tenant.staffAccess.add({
    ...{ id, requestId, staff: actor, reason, caseNumber, openedAt, until },
  });
  await tenant.accessLog.add({
    ...{ at: openedAt, who: "staff", actor, what: "results_unlocked", requestId },
    detail: { reason, caseNumber },
  });
  await tenant.timeline.add({
    ...{ kind: "results_revealed", actor, at: openedAt, orderId, requestId },
    detail: { why: reason, caseNumber },
  });
}
