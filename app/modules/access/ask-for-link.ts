import { queueLinkMail } from "./links/link-mails.ts";
import type { Ports } from "./ports.ts";
import { isOwner, type ViewerScope } from "./viewer.ts";

export type AskForLinkOutcome = "queued" | "too_often" | "not_found";

/**
 * Mails a visitor a link for what the link they came by does not open: to the address that we know, never another.
 * The mail names the purpose when it is sent, by where the unit stands then.
 */
export async function askForLink(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  { shop, viewer, requestId }: ViewerScope & { requestId: string },
  wanted: "next" | "correction",
): Promise<AskForLinkOutcome> {
  if (viewer.kind === "customer") return "not_found";
  return tenancy.inShop(shop, async (tenant) => {
    const request = await tenant.requests.find(requestId);
    if (!request || !isOwner(request, viewer)) return "not_found";
    const kind = wanted === "correction" ? "correction_link" : "link_renewed";
    const mail = { requestId, kind, by: viewer.link.id, now: clock.now() } as const;
    return (await queueLinkMail(tenant, mail)) ? "queued" : "too_often";
  });
}
