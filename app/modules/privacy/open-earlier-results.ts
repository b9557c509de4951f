import { TIME_ZONE } from "../../platform/calendar-day.ts";
import type { OrderId, ShopDomain } from "../kernel/ids.ts";
import type { Actor } from "../kernel/timeline.ts";
import { type NotAllowed, refuseUnlessAllowed } from "../shops/may-do.ts";
import { earlierBeside, resultsForStaff } from "./earlier-tests.ts";
import { openLook } from "./open-staff-access.ts";
import type { Ports } from "./ports.ts";

export type EarlierResultsOutcome =
  | { kind: "opened"; tests: number }
  | { kind: "nothing_to_show" }
  | NotAllowed;

/**
 * Lets a member of staff who looks at a request's results see the patient's earlier ones too. Each earlier test is a look
 * of its own, for the reason that was given for this one, and is written down as such in its own order.
 */
export async function openEarlierResults(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  wish: { shop: ShopDomain; orderId: OrderId; requestId: string; actor: Actor },
): Promise<EarlierResultsOutcome> {
  const { shop, orderId, requestId, actor } = wish;
  return tenancy.inShop(shop, async (tenant) => {
    const openedAt = clock.now();
    const request = await tenant.requests.find(requestId);
    if (request?.orderId !== orderId) return { kind: "nothing_to_show" };
    const place = { at: openedAt, requestId };
    const refused = await refuseUnlessAllowed(tenant, actor, "see_results", place);
    if (refused) return refused;
    const look = await tenant.staffAccess.open(requestId, actor, openedAt);
    if (!look) return { kind: "nothing_to_show" };
    const timeZone = (await tenant.shops.find())?.timeZone ?? TIME_ZONE;
    const ids = new Set<string>();
    for (const { uuid } of await resultsForStaff(tenant, request)) {
      const snapshot = await tenant.results.snapshotOf(uuid);
      if (!snapshot) continue;
      for (const earlier of await earlierBeside(tenant, request, { snapshot, timeZone }))
        ids.add(earlier.requestId);
    }
    ids.delete(requestId);
    const { reason, caseNumber } = look;
    for (const earlier of await tenant.requests.some([...ids]))
      if (!(await tenant.staffAccess.open(earlier.id, actor, openedAt)))
        await openLook(tenant, earlier, { actor, reason, caseNumber, openedAt });
    return { kind: "opened", tests: ids.size };
  });
}
