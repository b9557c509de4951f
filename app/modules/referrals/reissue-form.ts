import type { OrderId, ShopDomain } from "../kernel/ids.ts";
import type { Actor } from "../kernel/timeline.ts";
import { isStuck } from "./customer-view.ts";
import { isFormClosed } from "./form-closed.ts";
import type { Ports } from "./ports.ts";
import { isCurrent, type StoredReferral } from "./referral-repository.ts";
import type { ReferralRequest } from "./request.ts";
import { isPastForm } from "./status.ts";

export type ReissueOutcome = { kind: "queued" } | { kind: "no_form" };

/** The referrals whose form the service can give, and its patient may use: results do not wait for it any more. */
const withForm = (request: ReferralRequest, referrals: readonly StoredReferral[]) =>
  request.state === "created" && !isFormClosed(request)
    ? referrals.filter((one) => isCurrent(one) && !isStuck(one.status) && !isPastForm(one))
    : [];

/** Whether a form of this unit can be fetched again: the service can give it, and its patient may use it. */
export const mayReissue = (request: ReferralRequest, referrals: readonly StoredReferral[]) =>
  withForm(request, referrals).length > 0;

/**
 * Fetches a unit's form from the service again. A form that differs takes the place of the stored one. Its owner is mailed about it
 * where the service says that it made a new one (docs/decisions/0163). Only reads, so it can be asked for at any time.
 */
export async function reissueForm(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  target: { shop: ShopDomain; orderId: OrderId; requestId: string; actor: Actor },
): Promise<ReissueOutcome> {
  const { shop, orderId, requestId, actor } = target;
  return tenancy.inShop(shop, async (tenant) => {
    const request = await tenant.requests.find(requestId);
    if (request?.orderId !== orderId) return { kind: "no_form" };
    const found = withForm(request, await tenant.referrals.forRequests([requestId]));
    if (found.length === 0) return { kind: "no_form" };
    const at = clock.now();
    await tenant.timeline.add({ kind: "form_asked_again", actor, at, orderId, requestId });
    for (const { environment, uuid } of found)
      await tenant.jobs.enqueue({ name: "refetch-referral", shop, environment, uuid });
    return { kind: "queued" };
  });
}
