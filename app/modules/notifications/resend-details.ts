import type { OrderId, ShopDomain } from "../kernel/ids.ts";
import { ASKED_AGAIN, type DueNotification } from "../kernel/notification.ts";
import type { Actor } from "../kernel/timeline.ts";
import type { Ports } from "../privacy/ports.ts";
import type { Tenant } from "../privacy/tenant.ts";
import { isPatientLost } from "../referrals/recall-owner.ts";
import type { ReferralRequest } from "../referrals/request.ts";
import { clearRefusal } from "./notifications/refused-mails.ts";

export type ResendOutcome =
  | { kind: "queued" }
  | { kind: "nothing_to_ask" }
  /** Moments ago: a second press is no second email. */
  | { kind: "asked_just_now" };

const JUST_NOW_MS = 60_000;

/**
 * Asks for the patient's details of an order again. The buyer gets one mail, however many of their units wait: its
 * page asks for all of them. Each patient whom a unit was handed to gets a mail of their own, unless they wanted
 * no more of them. The reminders that began with the first asking go on as they were: none begin anew.
 */
export async function resendDetails(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  { shop, orderId, actor }: { shop: ShopDomain; orderId: OrderId; actor: Actor },
): Promise<ResendOutcome> {
  return tenancy.inShop(shop, async (tenant) => {
    const at = clock.now();
    // Two presses come one after the other, and details that are being given come before this or after it.
    const order = await tenant.requests.forOrderForUpdate(orderId);
    const asked = await askWhom(tenant, order, at);
    if (asked.length > 0 && (await isAskedJustNow(tenant, orderId, at)))
      return { kind: "asked_just_now" };
    // A person wants it sent: an address that refused mail is tried again.
    await clearRefusal(tenant, order);
    for (const due of asked) {
      const { requestId } = due;
      await tenant.notifications.note(due, at);
      await tenant.notifications.reopen(due, at);
      await tenant.timeline.add({ kind: "details_asked", actor, at, orderId, requestId });
      await tenant.accessLog.add({ at, who: "staff", actor, what: "mail_sent_again", requestId });
      await tenant.jobs.enqueue({ name: "send-mail", shop, ...due });
    }
    return { kind: asked.length > 0 ? "queued" : "nothing_to_ask" };
  });
}

async function isAskedJustNow(tenant: Tenant, orderId: OrderId, at: Date): Promise<boolean> {
  const timeline = await tenant.timeline.forOrder(orderId);
  return timeline.some(
    (entry) =>
      entry.kind === "details_asked" && Math.abs(at.getTime() - entry.at.getTime()) < JUST_NOW_MS,
  );
}

/** The mails that would reach everybody whose details are missing. */
async function askWhom(tenant: Tenant, requests: ReferralRequest[], at: Date) {
  const waiting = requests.filter(({ state }) => state === "awaiting_details");
  const asked: DueNotification[] = [];
  for (const request of waiting) {
    if (request.owner !== "patient" || request.remindersStoppedAt) continue;
    if (await isPatientLost(tenant, request)) continue;
    const occurrence = `asked ${at.getTime()}`;
    asked.push({ requestId: request.id, kind: "details_reminder", occurrence });
  }
  const own = waiting.find(({ owner }) => owner === "buyer");
  const buyer = own && (await tenant.orders.buyerOf(own.orderId));
  if (own && buyer?.email)
    asked.push({
      requestId: own.id,
      kind: "details_needed",
      ...((await wasAsked(tenant, requests)) ? { occurrence: ASKED_AGAIN } : {}),
    });
  return asked;
}

/** Whether the buyer had a mail for any unit of this order, from which reminders began. */
async function wasAsked(tenant: Tenant, requests: ReferralRequest[]): Promise<boolean> {
  for (const { id: requestId } of requests)
    if ((await tenant.notifications.find({ requestId, kind: "details_needed" }))?.sentAt)
      return true;
  return false;
}
