import { TIME_ZONE } from "../../platform/calendar-day.ts";
import { type ArrangedResult, arrange } from "../access/open-result.ts";
import type { OrderId, ShopDomain } from "../kernel/ids.ts";
import type { Actor } from "../kernel/timeline.ts";
import { isHeld, type ReleaseRecord } from "../referrals/referral-repository.ts";
import { type NotAllowed, refuseUnlessAllowed } from "../shops/may-do.ts";
import type { Ports } from "./ports.ts";

export type StaffViewResults =
  | { kind: "not_found" }
  | NotAllowed
  /** There are results; whoever wants to see them has to say why. */
  | { kind: "hidden"; orderName: string; held: number }
  | {
      kind: "shown";
      orderName: string;
      /** How many of them wait for a release. */
      held: number;
      until: Date;
      results: { isReleased: boolean; release: ReleaseRecord | null; view: ArrangedResult }[];
    };

/** The results of one request, for the member of staff who has an open look at them and nobody else. */
export async function readStaffView(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  target: { shop: ShopDomain; orderId: OrderId; requestId: string; actor: Actor },
): Promise<StaffViewResults> {
  const { shop, orderId, requestId, actor } = target;
  return tenancy.inShop(shop, async (tenant) => {
    const request = await tenant.requests.find(requestId);
    const stored = (await tenant.results.forRequests([requestId])).filter(
      ({ deletedAt, otherPerson }) => deletedAt === null && !otherPerson,
    );
    if (request?.orderId !== orderId || stored.length === 0) return { kind: "not_found" };
    if (request.resultsHiddenAt) return { kind: "not_found" };
    const place = { at: clock.now(), requestId };
    const refused = await refuseUnlessAllowed(tenant, actor, "see_results", place);
    if (refused) return refused;
    const orderName = (await tenant.orders.namesOf([orderId])).get(orderId) ?? "";
    const look = await tenant.staffAccess.open(requestId, actor, clock.now());
    const held = stored.filter(isHeld).length;
    if (!look) return { kind: "hidden", orderName, held };
    const results = [];
    const timeZone = (await tenant.shops.find())?.timeZone ?? TIME_ZONE;
    const seen = { at: clock.now(), who: "staff", actor, requestId } as const;
    for (const { uuid, partial, releasedAt } of stored) {
      const snapshot = await tenant.results.snapshotOf(uuid);
      if (!snapshot) continue;
      await tenant.accessLog.add({ ...seen, what: "result_viewed", subjectId: uuid });
      const view = arrange(snapshot, { title: request.title, partial, timeZone });
      const release = await tenant.results.releaseOf(uuid);
      results.push({ isReleased: releasedAt !== null, release, view });
    }
    return { kind: "shown", orderName, held, until: look.until, results };
  });
}
