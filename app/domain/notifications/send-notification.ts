import { crashPoint } from "../../lib/crash-points.ts";
import type { ShopDomain } from "../ids.ts";
import type { Ports } from "../ports.ts";
import { composeMail } from "./compose-mail.ts";
import type { NotificationKind } from "./notification.ts";

/**
 * Sends one mail once. Should the process die between the outgoing server's yes and ours on disk, it is sent
 * again: a second friendly mail does less harm than none. Throws when the server did not take it.
 */
export async function sendNotification(
  { tenancy, mailer, clock }: Pick<Ports, "tenancy" | "mailer" | "clock">,
  target: { shop: ShopDomain; requestId: string; kind: NotificationKind },
): Promise<"sent" | "not_due"> {
  const { shop, requestId, kind } = target;
  const due = await tenancy.inShop(shop, async (tenant) => {
    const request = await tenant.requests.find(requestId);
    if (!request || request.state === "cancelled") return null;
    // Nobody speaks for a shop that has left; should it come back, what is unsent is sent then.
    if (!(await tenant.shops.find())?.installed) return null;
    // Given meanwhile: no need to ask.
    if (kind === "details_needed" && request.state !== "awaiting_details") return null;
    if (await tenant.notifications.isSent(requestId, kind)) return null;
    const buyer = await tenant.orders.buyerOf(request.orderId);
    const names = await tenant.orders.namesOf([request.orderId]);
    if (!buyer?.email) return null;
    const orderName = names.get(request.orderId) ?? "";
    return { to: buyer.email, orderName, statusUrl: buyer.statusUrl, orderId: request.orderId };
  });
  if (!due) return "not_due";
  crashPoint("mail.before-send");
  await mailer.send(shop, composeMail(kind, due));
  crashPoint("mail.after-send-before-record");
  await tenancy.inShop(shop, async (tenant) => {
    const at = clock.now();
    await tenant.notifications.markSent(requestId, kind, at);
    await tenant.timeline.add({
      kind: "mail_sent",
      actor: "pathway",
      at,
      orderId: due.orderId,
      requestId,
      detail: { mail: kind },
    });
  });
  crashPoint("mail.after-record");
  return "sent";
}
