import type { ShopDomain } from "../ids.ts";
import type { Ports } from "../ports.ts";
import { hashOf, stopsOf } from "./link.ts";

/** More would be a nuisance to whoever owns the address. */
const MOST_MAILS_IN_A_DAY = 5;
const DAY_MS = 24 * 3_600_000;

/**
 * Mails a new link to wherever the old one belongs now. The caller is told nothing: not whether the link was
 * ever one, nor whether a mail is on its way.
 */
export async function renewLink(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  { shop, by }: { shop: ShopDomain; by: { token: string } | { linkId: string } },
): Promise<void> {
  await tenancy.inKnownShop(shop, async (tenant) => {
    const link =
      "token" in by
        ? await tenant.links.findByToken(hashOf(by.token))
        : await tenant.links.find(by.linkId);
    if (!link || stopsOf(link.kind) || link.revokedAt) return;
    const now = clock.now();
    const since = new Date(now.getTime() - DAY_MS);
    const mails = await tenant.notifications.countSince(link.requestId, since);
    if (mails >= MOST_MAILS_IN_A_DAY) return;
    const kind = "link_renewed" as const;
    // One for each link and day: pressing the button twice is one mail.
    const day = Math.floor(now.getTime() / DAY_MS);
    const due = { requestId: link.requestId, kind, occurrence: `${link.id} ${day}` };
    if (await tenant.notifications.note(due, now))
      await tenant.jobs.enqueue({ name: "send-mail", shop, ...due });
  });
}
