import type { OrderId, ShopDomain } from "../kernel/ids.ts";
import { ASKED_AGAIN, type NotedMail, type NotificationKind } from "../kernel/notification.ts";
import type { Ports } from "../privacy/ports.ts";
import type { Tenant } from "../privacy/tenant.ts";
import type { ReferralRequest } from "../referrals/request.ts";
import { askedUnits } from "../referrals/waiting-units.ts";
import { isStillNews } from "./notifications/is-due.ts";
import { readerOf } from "./notifications/refused-mails.ts";
import { isRepeatable } from "./send-mail-again.ts";

const ASKING: ReadonlySet<NotificationKind> = new Set(["details_needed", "details_reminder"]);
/** Told once at a time to whoever has the unit, beside the mails that staff may repeat. */
const URGENT_OR_ASKED: ReadonlySet<NotificationKind> = new Set(["ring_today", "correction_needed"]);

/**
 * Mails the buyer of an order, whose email the store names anew, what the former address was mailed and is still true. The links in
 * those mails ended with that address. Reminders go on as they were. A mail that the present address has is not sent again, so
 * that doing it twice changes nothing.
 */
export async function mailNewAddress(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  { shop, orderId }: { shop: ShopDomain; orderId: OrderId },
): Promise<void> {
  await tenancy.inShop(shop, async (tenant) => {
    // A change of the address holds the requests until it is done.
    const requests = await tenant.requests.forOrderForUpdate(orderId);
    const email = (await tenant.orders.buyerOf(orderId))?.email;
    if (!email) return;
    const byId = new Map(requests.map((request) => [request.id, request]));
    const now = clock.now();
    const here = tenant.links.recipientOf(email);
    const isElsewhere = ({ sentAt, recipient }: NotedMail) =>
      sentAt !== null && recipient !== null && !recipient.equals(here);
    const noted = await tenant.notifications.ofRequests([...byId.keys()]);
    const own = noted.filter(({ requestId, kind }) => {
      const request = byId.get(requestId);
      return request && readerOf(request, kind) === "buyer";
    });
    for (const one of own.filter(isElsewhere)) {
      const { requestId, kind, occurrence } = one;
      const request = byId.get(requestId);
      if (!request || !(isRepeatable(kind) || URGENT_OR_ASKED.has(kind))) continue;
      if (!(await isStillNews(tenant, request, one))) continue;
      await tenant.notifications.reopen(one, now);
      await tenant.jobs.enqueue({ name: "send-mail", shop, requestId, kind, occurrence });
    }
    const asking = own.filter(({ kind }) => ASKING.has(kind));
    const last = asking.find(({ sentAt }) => sentAt !== null);
    if (last && isElsewhere(last)) await askAgain(tenant, { requests, asking, now });
  });
}

/** Asks for details once more, unless a mail that is under way does. */
async function askAgain(
  tenant: Tenant,
  {
    requests: [first],
    asking,
    now,
  }: { requests: ReferralRequest[]; asking: NotedMail[]; now: Date },
): Promise<void> {
  const waiting = first ? await askedUnits(tenant, first, "buyer") : [];
  const ids = new Set(waiting.map(({ id }) => id));
  if (asking.some(({ sentAt, requestId }) => sentAt === null && ids.has(requestId))) return;
  const [unit] = waiting;
  if (!unit) return;
  const due = { requestId: unit.id, kind: "details_needed", occurrence: ASKED_AGAIN } as const;
  await tenant.notifications.note(due, now);
  await tenant.notifications.reopen(due, now);
  await tenant.jobs.enqueue({ name: "send-mail", shop: tenant.shop, ...due });
}
