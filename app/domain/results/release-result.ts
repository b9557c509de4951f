import type { ShopDomain } from "../ids.ts";
import type { Ports } from "../ports.ts";
import type { ReferralRequest } from "../requests/request.ts";
import type { Tenant } from "../tenant.ts";
import type { Actor } from "../timeline/timeline.ts";
import { alertOf } from "./result-alert.ts";
import { resultsMail } from "./results-mail.ts";

export type ReleaseResultOutcome = { kind: "released"; results: number } | { kind: "nothing_held" };

/**
 * Shows a request's held results to their patient because a person decides so, and tells the patient that
 * there is something new. What the service itself still reviews stays hidden. The person sees no value.
 */
export async function releaseResults(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  { shop, requestId, actor }: { shop: ShopDomain; requestId: string; actor: Actor },
): Promise<ReleaseResultOutcome> {
  return tenancy.inShop(shop, async (tenant) => {
    // Whoever reads the result again meanwhile decides before this, or after.
    const request = await tenant.requests.findForUpdate(requestId);
    if (!request || request.state === "cancelled") return { kind: "nothing_held" };
    const now = clock.now();
    const released = await tenant.results.release(requestId, now);
    if (released.length === 0) return { kind: "nothing_held" };
    const { orderId } = request;
    for (const { uuid } of released)
      await tenant.timeline.add({
        kind: "result_released",
        actor,
        at: now,
        orderId,
        requestId,
        detail: { uuid },
      });
    await announce(tenant, request, { released, now });
    return { kind: "released", results: released.length };
  });
}

/** One mail for all that one decision released; a partial result has none unless it is critical. */
async function announce(
  tenant: Tenant,
  request: ReferralRequest,
  { released, now }: { released: { uuid: string; partial: boolean }[]; now: Date },
): Promise<void> {
  let isTold = false;
  for (const { uuid, partial } of released) {
    const result = await tenant.results.find(uuid);
    const snapshot = await tenant.results.snapshotOf(uuid);
    if (!result || !snapshot) continue;
    const alert = alertOf(snapshot);
    if (partial && alert?.level !== "critical") continue;
    const due = await resultsMail(tenant, request, result.referralUuid, alert);
    if (!(await tenant.notifications.note(due, now))) continue;
    if (isTold) await tenant.notifications.markSent(due, now);
    else await tenant.jobs.enqueue({ name: "send-mail", shop: tenant.shop, ...due });
    isTold = true;
  }
}
