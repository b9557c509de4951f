import type { ShopDomain } from "../kernel/ids.ts";
import { hashSecret } from "../kernel/secret.ts";
import { stopsOf } from "./link.ts";
import { queueLinkMail } from "./links/link-mails.ts";
import type { Ports } from "./ports.ts";

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
        ? await tenant.links.findByToken(hashSecret(by.token))
        : await tenant.links.find(by.linkId);
    if (!link || stopsOf(link.kind) || link.revokedAt) return;
    const { id, requestId } = link;
    await queueLinkMail(tenant, { requestId, kind: "link_renewed", by: id, now: clock.now() });
  });
}
