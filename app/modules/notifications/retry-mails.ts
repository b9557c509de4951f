import type { ShopDomain } from "../kernel/ids.ts";
import { queueUnsentMails } from "../kernel/queue-mail.ts";
import type { Actor } from "../kernel/timeline.ts";
import type { Ports } from "../privacy/ports.ts";
import { clearRefusal } from "./notifications/refused-mails.ts";

export type RetryMailsOutcome = { kind: "queued" } | { kind: "nothing_refused" };

/**
 * Sends what was kept back for a unit whose address was refused, because a person has corrected the address or knows that
 * it takes mail again. Units of one buyer are tried together: they have one address.
 */
export async function retryMails(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  { shop, requestId, actor }: { shop: ShopDomain; requestId: string; actor: Actor },
): Promise<RetryMailsOutcome> {
  return tenancy.inShop(shop, async (tenant) => {
    const request = await tenant.requests.find(requestId);
    if (!request?.mailRefusedAt) return { kind: "nothing_refused" };
    const { orderId, owner } = request;
    // Two presses come one after the other: the second finds what the first has left.
    const order = await tenant.requests.forOrderForUpdate(orderId);
    const shared = order.filter((one) =>
      owner === "buyer" ? one.owner === "buyer" : one.id === requestId,
    );
    const ids = await clearRefusal(tenant, shared);
    if (ids.length === 0) return { kind: "nothing_refused" };
    const at = clock.now();
    await tenant.timeline.add({ kind: "mail_retried", actor, at, orderId, requestId });
    await queueUnsentMails(tenant, ids);
    return { kind: "queued" };
  });
}
