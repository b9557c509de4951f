import type { OrderId, ShopDomain } from "../kernel/ids.ts";
import type { Actor } from "../kernel/timeline.ts";
import { apply } from "../referrals/apply.ts";
import { OTHER_PERSON } from "../referrals/other-person.ts";
import { HOLD_REASONS } from "../referrals/urgency.ts";
import type { Ports } from "./ports.ts";

/** Whether a person can end the reason by saying that it is dealt with. A result is reviewed, or put right. */
export const mayMarkHandled = (reason: string): boolean =>
  reason !== OTHER_PERSON && !HOLD_REASONS.has(reason);

export type HandledOutcome = { kind: "marked"; items: number } | { kind: "nothing_open" };

/**
 * Notes that a person has dealt with why an order needs attention, in a way that Pathway cannot see. It leaves the
 * inbox, and comes back only when the reason goes and arises again. `reason` null: every reason of the order.
 */
export async function markHandled(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  asked: { shop: ShopDomain; orderId: OrderId; reason: string | null; actor: Actor },
): Promise<HandledOutcome> {
  const { shop, orderId, reason, actor } = asked;
  return tenancy.inShop(shop, async (tenant) => {
    const open = await tenant.overview.attentionOf([orderId]);
    const items = open.filter(
      (item) => mayMarkHandled(item.reason) && (reason === null || item.reason === reason),
    );
    for (const item of items) {
      const at = clock.now();
      const detail = { reason: item.reason };
      if (item.requestIds.length === 0) {
        await tenant.orders.markHandled(orderId, item.reason);
        await tenant.timeline.add({ kind: "attention_handled", actor, at, orderId, detail });
      }
      for (const requestId of item.requestIds.toSorted())
        await apply(tenant, requestId, { kind: "handled", ...detail }, { actor, at });
    }
    return items.length > 0 ? { kind: "marked", items: items.length } : { kind: "nothing_open" };
  });
}
