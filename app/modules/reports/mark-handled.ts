import type { OrderId, ShopDomain } from "../kernel/ids.ts";
import type { Actor } from "../kernel/timeline.ts";
import { dealWithReason } from "../referrals/deal-with-reason.ts";
import { isRiskReason } from "../referrals/order-risk.ts";
import { OTHER_PERSON, REFERRAL_OTHER_PERSON } from "../referrals/other-person.ts";
import { reasonKey } from "../referrals/review-reason.ts";
import { HOLD_REASONS, URGENT_SHOWN } from "../referrals/urgency.ts";
import { isOfOrder } from "./attention-item.ts";
import type { Ports } from "./ports.ts";

/**
 * Whether a person can end the reason by saying that it is dealt with. A result is reviewed, or put right. A high-risk
 * order is released, or cancelled in Shopify. The patient of a refunded test waits for a decision: to keep it, or to cancel it.
 */
export const mayMarkHandled = (reason: { code: string }): boolean =>
  reason.code !== OTHER_PERSON &&
  reason.code !== "refunded_after_sending" &&
  !HOLD_REASONS.has(reason.code) &&
  !isRiskReason(reason);

export type HandledOutcome =
  /** `reasons`: the keys of those that were marked. */
  { kind: "marked"; items: number; reasons: string[] } | { kind: "nothing_open" };

/**
 * Records that a person has dealt with why an order needs attention, in a way that Pathway cannot see. The reason leaves
 * the list, and comes back only when it ends and arises again. `reason` is its key (`reasonKey`); null: every reason of
 * the order, but that a referral names another person: whoever says that it is the same one has looked at that one. As one of many, a
 * patient who has to be rung today is left to a look of its own: nobody rings a list.
 */
export async function markHandled(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  asked: {
    shop: ShopDomain;
    orderId: OrderId;
    reason: string | null;
    actor: Actor;
    isOneOfMany?: boolean;
  },
): Promise<HandledOutcome> {
  const { shop, orderId, reason, actor, isOneOfMany = false } = asked;
  return tenancy.inShop(shop, async (tenant) => {
    const open = await tenant.overview.attentionOf([orderId]);
    const items = open.filter(
      (item) =>
        mayMarkHandled(item.reason) &&
        !(isOneOfMany && item.reason.code === URGENT_SHOWN) &&
        (reason === null
          ? item.reason.code !== REFERRAL_OTHER_PERSON
          : reasonKey(item.reason) === reason),
    );
    for (const { reason, requestIds } of items) {
      const at = clock.now();
      if (isOfOrder(reason)) {
        // Another reason stood behind it, and nobody was told of that one.
        if (await tenant.orders.markHandled(orderId, reason.code))
          await tenant.alerts.noteAttention(orderId);
        const detail = { reason: reason.code };
        await tenant.timeline.add({ kind: "attention_handled", actor, at, orderId, detail });
      } else
        for (const requestId of requestIds.toSorted())
          await dealWithReason(tenant, requestId, reason, { actor, at });
    }
    const reasons = items.map((item) => reasonKey(item.reason));
    return items.length > 0
      ? { kind: "marked", items: items.length, reasons }
      : { kind: "nothing_open" };
  });
}
