import type { OrderId, ShopDomain } from "../kernel/ids.ts";
import type { Actor } from "../kernel/timeline.ts";
import { dealWithReason } from "../referrals/deal-with-reason.ts";
import { isRiskReason } from "../referrals/order-risk.ts";
import { OTHER_PERSON, REFERRAL_OTHER_PERSON } from "../referrals/other-person.ts";
import { reasonKey } from "../referrals/review-reason.ts";
import { HOLD_REASONS, URGENT_SHOWN } from "../referrals/urgency.ts";
import { type AttentionItem, isOfOrder } from "./attention-item.ts";
import { lockedAttention } from "./locked-attention.ts";
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
  | { kind: "marked"; items: number; reasons: string[] }
  /** Nothing is open, or it is about something else by now than the page showed. */
  | { kind: "nothing_open" };

/**
 * Records that a person has dealt with why an order needs attention, in a way that Pathway cannot see. The reason leaves
 * the list, and comes back only when it ends and arises again. `reason` is its key (`reasonKey`); null: every reason of
 * the order, but that a referral names another person: whoever says that it is the same one has looked at that one. It holds for what the
 * page showed of it alone (`seen`). As one of many, a patient who has to be rung today is left to a look of its own: nobody rings a list.
 */
export async function markHandled(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  asked: {
    shop: ShopDomain;
    orderId: OrderId;
    reason: string | null;
    actor: Actor;
    isOneOfMany?: boolean;
    /** The `version` of the item that the page showed; null: whatever it is about. */
    seen?: string | null;
  },
): Promise<HandledOutcome> {
  const { shop, orderId, reason, actor, isOneOfMany = false, seen = null } = asked;
  const isMeant = (item: AttentionItem) =>
    mayMarkHandled(item.reason) &&
    !(isOneOfMany && ONE_BY_ONE.has(item.reason.code)) &&
    isAsSeen(item, seen) &&
    (reason === null || reasonKey(item.reason) === reason);
  return tenancy.inShop(shop, async (tenant) => {
    const items = (await lockedAttention(tenant, orderId)).filter(isMeant);
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

/** Nobody rings a list, or compares whom the forms of a list name. */
const ONE_BY_ONE: ReadonlySet<string> = new Set([URGENT_SHOWN, REFERRAL_OTHER_PERSON]);

/** Whether an item is about what the page showed. A form is somebody's by a word about that very one. */
const isAsSeen = ({ reason, version }: AttentionItem, seen: string | null): boolean =>
  seen === null ? reason.code !== REFERRAL_OTHER_PERSON : seen === version;
