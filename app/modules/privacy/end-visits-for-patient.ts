import type { OrderId, ShopDomain } from "../kernel/ids.ts";
import type { Actor } from "../kernel/timeline.ts";
import type { ReferralRequest } from "../referrals/request.ts";
import { type NotAllowed, refuseUnlessAllowed } from "../shops/may-do.ts";
import { holdsElse } from "./data-version.ts";
import type { Ports } from "./ports.ts";
import type { Tenant } from "./tenant.ts";

export type EndVisitsOutcome =
  | { kind: "ended"; visits: number }
  | { kind: "not_found" }
  /** It may be somebody else's by now than the page showed. */
  | { kind: "changed_meanwhile" }
  | NotAllowed;

/**
 * Ends every visit by an emailed link to whoever holds a test, on all devices, because they asked the shop: the link may have been
 * opened by somebody else, or on a device that is lost. A buyer's links open more than one test of the order, so that all of theirs end.
 * The member of staff stands in the access log of each test that is reached.
 */
export async function endVisitsForPatient(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  asked: {
    shop: ShopDomain;
    orderId: OrderId;
    requestId: string;
    actor: Actor;
    /** The `version` that the page showed; null: nobody says. */
    seen?: string | null;
  },
): Promise<EndVisitsOutcome> {
  const { shop, orderId, requestId, actor, seen = null } = asked;
  return tenancy.inShop(shop, async (tenant) => {
    const request = await tenant.requests.findForUpdate(requestId);
    if (request?.orderId !== orderId) return { kind: "not_found" };
    const at = clock.now();
    const refused = await refuseUnlessAllowed(tenant, actor, "export_data", { at, requestId });
    if (refused) return refused;
    if (await holdsElse(tenant, request, seen)) return { kind: "changed_meanwhile" };
    const reached = await reachedWith(tenant, request);
    const deed = { at, who: "staff", actor, what: "visits_ended" } as const;
    await tenant.accessLog.add(
      ...reached
        .filter(({ owner }) => owner === request.owner)
        .map((one) => ({ ...deed, requestId: one.id })),
    );
    const kind = request.owner === "patient" ? "handover" : "guest";
    const ids = reached.map(({ id }) => id);
    return { kind: "ended", visits: await tenant.links.endSessionsOf(ids, kind) };
  });
}

/** A buyer's link may have been mailed for a test that is a patient's by now. A patient's is for the unit, whatever generation. */
async function reachedWith(
  tenant: Tenant,
  { orderId, lineItemId, unit, owner }: ReferralRequest,
): Promise<ReferralRequest[]> {
  const order = await tenant.requests.forOrder(orderId);
  if (owner === "buyer") return order;
  return order.filter((one) => one.lineItemId === lineItemId && one.unit === unit);
}
