import type { OrderId, ShopDomain } from "../kernel/ids.ts";
import type { NotedMail, NotificationKind } from "../kernel/notification.ts";
import type { Actor } from "../kernel/timeline.ts";
import type { Ports } from "../privacy/ports.ts";
import type { Tenant } from "../privacy/tenant.ts";
import { isDue } from "./notifications/is-due.ts";
import { clearRefusal } from "./notifications/refused-mails.ts";

export type SendAgainOutcome =
  | { kind: "queued" }
  /** Somebody had it sent again already, or nothing of the kind was sent then. */
  | { kind: "sent_meanwhile" }
  | { kind: "not_true_any_more" }
  | { kind: "too_often" };

/** Mails that tell something, and can tell it twice. Asking again has use cases of its own. */
const REPEATABLE: ReadonlySet<NotificationKind> = new Set([
  "form_ready",
  "form_corrected",
  "results_available",
  "results_today",
  "state_changed",
  "correction_refused",
]);

/** Whether staff may have a mail of this kind sent once more. */
export const isRepeatable = (kind: NotificationKind) => REPEATABLE.has(kind);

/** As many as a customer can have mailed by themselves: more would be a nuisance. */
const MAX_AGAIN_PER_DAY = 5;
const DAY_MS = 24 * 3_600_000;

/**
 * Sends an email once more, with a new link, to the address that is known now. `sentAt` says which sending staff looked at:
 * a second press, or a colleague's, finds a later one and sends nothing. What went out together goes out together.
 */
export async function sendMailAgain(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  target: {
    shop: ShopDomain;
    orderId: OrderId;
    requestId: string;
    kind: NotificationKind;
    sentAt: Date;
    actor: Actor;
  },
): Promise<SendAgainOutcome> {
  const { shop, orderId, requestId, kind, sentAt, actor } = target;
  return tenancy.inShop(shop, async (tenant) => {
    // Two presses come one after the other.
    const request = await tenant.requests.findForUpdate(requestId);
    if (!request || request.orderId !== orderId) return { kind: "not_true_any_more" };
    const order = await tenant.requests.forOrder(orderId);
    const noted = await tenant.notifications.ofRequests(order.map(({ id }) => id));
    const lead = noted.find(
      (one) => one.requestId === requestId && one.kind === kind && isAt(one, sentAt),
    );
    if (!lead || !isRepeatable(kind)) return { kind: "sent_meanwhile" };
    const at = clock.now();
    if (await isTooOften(tenant, { orderId, requestId, at })) return { kind: "too_often" };
    const queued: NotedMail[] = [];
    for (const one of noted.filter((other) => wentWith(lead, other))) {
      const about = order.find(({ id }) => id === one.requestId);
      if (!about) continue;
      await tenant.notifications.reopen(one, at);
      if (await isDue(tenant, about, one)) queued.push(one);
      else await tenant.notifications.markSent(one, sentAt, one.recipient);
    }
    if (queued.length === 0) return { kind: "not_true_any_more" };
    // A person wants it sent: an address that refused mail is tried again.
    const { owner } = request;
    await clearRefusal(
      tenant,
      owner === "patient" ? [request] : order.filter((one) => one.owner === owner),
    );
    await tenant.timeline.add({
      kind: "mail_asked_again",
      actor,
      at,
      orderId,
      requestId,
      detail: { mail: kind },
    });
    await tenant.accessLog.add({ at, who: "staff", actor, what: "mail_sent_again", requestId });
    for (const { requestId: id, kind: mail, occurrence } of queued)
      await tenant.jobs.enqueue({ name: "send-mail", shop, requestId: id, kind: mail, occurrence });
    return { kind: "queued" };
  });
}

const isAt = (one: NotedMail, sentAt: Date) => one.sentAt?.getTime() === sentAt.getTime();

/** One email: sent at one moment to one address. */
const wentWith = (lead: NotedMail, other: NotedMail) =>
  lead.sentAt !== null &&
  isAt(other, lead.sentAt) &&
  isRepeatable(other.kind) &&
  (lead.recipient && other.recipient
    ? lead.recipient.equals(other.recipient)
    : other.requestId === lead.requestId && other.kind === lead.kind);

async function isTooOften(
  tenant: Tenant,
  { orderId, requestId, at }: { orderId: OrderId; requestId: string; at: Date },
): Promise<boolean> {
  const since = at.getTime() - DAY_MS;
  const timeline = await tenant.timeline.forOrder(orderId);
  const again = timeline.filter(
    (entry) =>
      entry.kind === "mail_asked_again" &&
      entry.requestId === requestId &&
      entry.at.getTime() > since,
  );
  return again.length >= MAX_AGAIN_PER_DAY;
}
