import type { ShopDomain } from "../ids.ts";
import type { Ports } from "../ports.ts";
import { hashOf } from "./link.ts";

/** Ends the reminders that the link came with; again and again if asked. Says nothing about the link. */
export async function stopReminders(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  { shop, token }: { shop: ShopDomain; token: string },
): Promise<void> {
  await tenancy.inShop(shop, async (tenant) => {
    const link = await tenant.links.findByToken(hashOf(token));
    if (link?.kind !== "stop" || link.revokedAt) return;
    const request = await tenant.requests.find(link.requestId);
    if (!request) return;
    const now = clock.now();
    if (!(await tenant.requests.stopReminders(link.requestId, now))) return;
    await tenant.timeline.add({
      kind: "reminders_stopped",
      actor: "shopper",
      at: now,
      orderId: request.orderId,
      requestId: request.id,
    });
  });
}
