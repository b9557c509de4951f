import { issueLink } from "../access/issue-link.ts";
import { recipientEmail } from "../access/recipient-email.ts";
import type { OrderId, ShopDomain } from "../kernel/ids.ts";
import type { Actor } from "../kernel/timeline.ts";
import type { Ports } from "../privacy/ports.ts";
import { accountOfBuyer } from "../referrals/account-of-buyer.ts";

export type CopyLinkOutcome =
  | { kind: "link"; url: string }
  /** A link belongs to an address: without one there is none. */
  | { kind: "no_address" }
  | { kind: "not_found" };

/**
 * Makes a link to a unit's page for staff to give to its owner, by phone or chat. It has the purpose "status", so that it
 * opens no details, no form and no results, whoever has it; the page mails a new link to the owner's own address. It ends
 * no link that was mailed. A buyer who signs in gets the order's page in their account, where the shop's sign-in comes first.
 */
export async function copyLink(
  { tenancy, clock, appUrl }: Pick<Ports, "tenancy" | "clock" | "appUrl">,
  target: { shop: ShopDomain; orderId: OrderId; requestId: string; actor: Actor },
): Promise<CopyLinkOutcome> {
  const { shop, orderId, requestId, actor } = target;
  return tenancy.inShop(shop, async (tenant) => {
    const request = await tenant.requests.find(requestId);
    const settings = await tenant.shops.find();
    if (!settings?.installed || request?.orderId !== orderId) return { kind: "not_found" };
    const isPatients = request.owner === "patient";
    const buyer = await tenant.orders.buyerOf(orderId);
    const account = isPatients ? null : await accountOfBuyer(tenant, request, settings);
    let url = account === "new" ? (buyer?.statusUrl ?? null) : null;
    const now = clock.now();
    if (!url) {
      const to = await recipientEmail(tenant, request, isPatients ? "patient" : "guest");
      if (!to) return { kind: "no_address" };
      const kind = isPatients ? "handover" : "guest";
      const link = await issueLink(tenant, { requestId, kind, purpose: "status", to, now });
      url = `${appUrl}/t/${shop.replace(".myshopify.com", "")}.${link.token}`;
    }
    await tenant.timeline.add({ kind: "link_copied", actor, at: now, orderId, requestId });
    await tenant.accessLog.add({ at: now, who: "staff", actor, what: "link_copied", requestId });
    return { kind: "link", url };
  });
}
