import type { ShopDomain } from "../kernel/ids.ts";
import { hashSecret } from "../kernel/secret.ts";
import { stopsOf } from "./link.ts";
import type { Ports } from "./ports.ts";

/**
 * Ends the reminders of the one to whom the link was mailed, whoever has the unit by now; again and again if asked.
 * Says nothing about the link.
 */
export async function stopReminders(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  { shop, token }: { shop: ShopDomain; token: string },
): Promise<void> {
  await tenancy.inKnownShop(shop, async (tenant) => {
    const link = await tenant.links.findByToken(hashSecret(token));
    const owner = link && stopsOf(link.kind);
    if (!owner || link.revokedAt) return;
    const request = await tenant.requests.find(link.requestId);
    if (!request) return;
    const now = clock.now();
    if (!(await tenant.requests.stopReminders(link.requestId, owner, now))) return;
    await tenant.timeline.add({
      kind: "reminders_stopped",
      actor: "shopper",
      at: now,
      orderId: request.orderId,
      requestId: request.id,
    });
  });
}
