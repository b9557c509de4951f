import type { OrderId } from "../kernel/ids.ts";
import type { ReminderPolicy } from "../shops/shop.ts";
import type { ReminderStep } from "./jobs.ts";
import type { ReferralRequest } from "./request.ts";
import type { Tenant } from "./tenant.ts";

/** Steps that no policy has: the end of reminders, and the beginning and end of a watch without any. */
const END_STEP = 1_000;
export const UNASKED_STEP = 1_001;
export const UNASKED_END_STEP = 1_002;

/** Begins a chain of reminders to whoever was just asked for details. */
export async function startReminders(
  tenant: Tenant,
  request: ReferralRequest,
  { at, dayMs }: { at: Date; dayMs: number },
): Promise<void> {
  const { id: requestId, owner, invitedAt } = request;
  const since = (owner === "patient" ? (invitedAt ?? at) : at).getTime();
  await schedule(tenant, { requestId, owner, since, step: 0 }, dayMs);
}

/**
 * Has the merchant told of a unit that came back to its buyer when the buyer's reminders were over, should nobody have
 * dealt with it by the shop's first day of reminders. Reminders that still run take it up by themselves: then nothing
 * happens before their end.
 */
export async function watchReturned(
  tenant: Tenant,
  { id: requestId, orderId }: ReferralRequest,
  { at, dayMs }: { at: Date; dayMs: number },
): Promise<void> {
  const settings = await tenant.shops.find();
  if (!settings) return;
  const began = (await askedAt(tenant, orderId)) ?? at;
  const patience = daysOf(settings)[0] ?? settings.detailsEndDays;
  const over = began.getTime() + settings.detailsEndDays * dayMs;
  const startAfter = new Date(Math.max(over, at.getTime() + patience * dayMs));
  const end = { requestId, owner: "buyer" as const, since: at.getTime(), step: END_STEP };
  await tenant.jobs.enqueue({ name: "send-reminder", shop: tenant.shop, ...end }, { startAfter });
}

/** Has the merchant told of a unit whose patient is asked anew, should the details not come in the shop's time for it. */
export async function watchAskedAnew(
  tenant: Tenant,
  { id: requestId, owner, invitedAt }: ReferralRequest,
  { at, dayMs }: { at: Date; dayMs: number },
): Promise<void> {
  const settings = await tenant.shops.find();
  if (!settings || owner !== "patient" || !invitedAt) return;
  const startAfter = new Date(at.getTime() + settings.detailsEndDays * dayMs);
  const end = { requestId, owner, since: invitedAt.getTime(), step: END_STEP };
  await tenant.jobs.enqueue({ name: "send-reminder", shop: tenant.shop, ...end }, { startAfter });
}

/**
 * Has the merchant told of units whose buyer can't be asked, for want of an address, when the reminders of a mail
 * would be over. One that is asked meanwhile has reminders instead. Beginning it twice changes nothing.
 */
export async function watchUnasked(
  tenant: Tenant,
  { id: requestId, createdAt }: ReferralRequest,
): Promise<void> {
  const watch = { requestId, owner: "buyer" as const, since: createdAt.getTime() };
  const job = { name: "send-reminder", shop: tenant.shop, ...watch, step: UNASKED_STEP } as const;
  await tenant.jobs.enqueue(job);
}

/** When the buyer's reminders of an order began; null when they were never asked, or not since then. */
export async function askedAt(tenant: Tenant, orderId: OrderId, since = 0): Promise<Date | null> {
  for (const { id: requestId } of await tenant.requests.forOrder(orderId)) {
    const noted = await tenant.notifications.find({ requestId, kind: "details_needed" });
    if (noted?.sentAt && noted.sentAt.getTime() >= since) return noted.sentAt;
  }
  return null;
}

/** Queues the next step of a chain for the day that the shop's policy says. */
export async function schedule(tenant: Tenant, next: ReminderStep, dayMs: number): Promise<void> {
  const settings = await tenant.shops.find();
  if (!settings) return;
  const day = daysOf(settings)[next.step] ?? settings.detailsEndDays;
  const startAfter = new Date(next.since + day * dayMs);
  await tenant.jobs.enqueue({ name: "send-reminder", shop: tenant.shop, ...next }, { startAfter });
}

/** In sequence, and none after the end. */
export const daysOf = ({ reminderDays, detailsEndDays }: ReminderPolicy): number[] =>
  [...new Set(reminderDays)].filter((day) => day < detailsEndDays).sort((a, b) => a - b);
