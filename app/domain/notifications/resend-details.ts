import type { OrderId, ShopDomain } from "../ids.ts";
import type { Ports } from "../ports.ts";
import type { Actor } from "../timeline/timeline.ts";

export type ResendOutcome = { kind: "queued" } | { kind: "nothing_to_ask" };

/**
 * Asks the shopper of an order for the patient's details again. One mail for an order, however many of its
 * requests wait: its page asks for all of them.
 */
export async function resendDetails(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  { shop, orderId, actor }: { shop: ShopDomain; orderId: OrderId; actor: Actor },
): Promise<ResendOutcome> {
  return tenancy.inShop(shop, async (tenant) => {
    const requests = await tenant.requests.forOrder(orderId);
    const waiting = requests.find((request) => request.state === "awaiting_details");
    const buyer = await tenant.orders.buyerOf(orderId);
    if (!waiting || !buyer?.email) return { kind: "nothing_to_ask" };
    const due = { requestId: waiting.id, kind: "details_needed" } as const;
    const at = clock.now();
    await tenant.notifications.note(due, at);
    await tenant.notifications.reopen(due);
    await tenant.timeline.add({
      kind: "details_asked",
      actor,
      at,
      orderId,
      requestId: waiting.id,
    });
    await tenant.jobs.enqueue({ name: "send-mail", shop, ...due });
    return { kind: "queued" };
  });
}
