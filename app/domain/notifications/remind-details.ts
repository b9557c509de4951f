import type { OrderId, ShopDomain } from "../ids.ts";
import type { ReminderStep } from "../jobs.ts";
import { mayHandOver } from "../patients/hand-over-rules.ts";
import type { Ports } from "../ports.ts";
import type { Holder, ReferralRequest } from "../requests/request.ts";
import type { ReminderPolicy } from "../shops/shop.ts";
import type { Tenant } from "../tenant.ts";
import { waitingUnits } from "./waiting-units.ts";

/** Steps that no policy has: the end of reminders, and the beginning and end of a watch without any. */
const END_STEP = 1_000;
const UNASKED_STEP = 1_001;
const UNASKED_END_STEP = 1_002;

export type RemindOutcome = "reminded" | "stopped" | "ended" | "not_due";

/** Begins a chain of reminders to whoever was just asked for details. */
export async function startReminders(
  tenant: Tenant,
  request: ReferralRequest,
  { at, dayMs }: { at: Date; dayMs: number },
): Promise<void> {
  const { id: requestId, holder, handedOverAt } = request;
  const since = (holder === "patient" ? (handedOverAt ?? at) : at).getTime();
  await schedule(tenant, { requestId, holder, since, step: 0 }, dayMs);
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
  const end = { requestId, holder: "buyer" as const, since: at.getTime(), step: END_STEP };
  await tenant.jobs.enqueue({ name: "remind-details", shop: tenant.shop, ...end }, { startAfter });
}

/** Has the merchant told of a unit whose patient is asked anew, should the details not come in the shop's time for it. */
export async function watchAskedAnew(
  tenant: Tenant,
  { id: requestId, holder, handedOverAt }: ReferralRequest,
  { at, dayMs }: { at: Date; dayMs: number },
): Promise<void> {
  const settings = await tenant.shops.find();
  if (!settings || !handedOverAt) return;
  const startAfter = new Date(at.getTime() + settings.detailsEndDays * dayMs);
  const end = { requestId, holder, since: handedOverAt.getTime(), step: END_STEP };
  await tenant.jobs.enqueue({ name: "remind-details", shop: tenant.shop, ...end }, { startAfter });
}

/**
 * Has the merchant told of units whose buyer can't be asked, for want of an address, when the reminders of a mail
 * would be over. One that is asked meanwhile has reminders instead. Beginning it twice changes nothing.
 */
export async function watchUnasked(
  tenant: Tenant,
  { id: requestId, createdAt }: ReferralRequest,
): Promise<void> {
  const watch = { requestId, holder: "buyer" as const, since: createdAt.getTime() };
  const job = { name: "remind-details", shop: tenant.shop, ...watch, step: UNASKED_STEP } as const;
  await tenant.jobs.enqueue(job);
}

/** When the buyer's reminders of an order began; null when they were never asked, or not since then. */
async function askedAt(tenant: Tenant, orderId: OrderId, since = 0): Promise<Date | null> {
  for (const { id: requestId } of await tenant.requests.forOrder(orderId)) {
    const at = await tenant.notifications.sentAt({ requestId, kind: "details_needed" });
    if (at && at.getTime() >= since) return at;
  }
  return null;
}

/**
 * Asks once more for details that are still missing, and plans the next asking. After the last day of the
 * shop's policy nobody is asked any more: the units then need the merchant's attention. A chain ends without
 * a word when the details were given, the unit was cancelled, or it is no longer with the one who was asked.
 */
export async function remindDetails(
  { tenancy, clock, waits }: Pick<Ports, "tenancy" | "clock" | "waits">,
  { shop, ...current }: { shop: ShopDomain } & ReminderStep,
): Promise<RemindOutcome> {
  const { requestId, holder, since, step } = current;
  return tenancy.inShop(shop, async (tenant) => {
    const request = await tenant.requests.find(requestId);
    const settings = await tenant.shops.find();
    if (!request || !settings?.installed) return "not_due";
    if (holder === "patient" && request.handedOverAt?.getTime() !== since) return "not_due";
    const waiting = await waitingUnits(tenant, request, holder);
    if (waiting.length === 0 && !(await mayComeBack(tenant, request, holder))) return "not_due";
    if (step === UNASKED_STEP) {
      await schedule(tenant, { ...current, step: UNASKED_END_STEP }, waits.reminderDayMs);
      return "not_due";
    }
    // The reminders of that mail have an end of their own.
    if (step === UNASKED_END_STEP && (await askedAt(tenant, request.orderId, since)))
      return "not_due";
    if (step >= daysOf(settings).length) return give(tenant, waiting, clock.now());
    await schedule(tenant, { ...current, step: step + 1 }, waits.reminderDayMs);
    if (waiting.length === 0) return "not_due";
    if (request.remindersStoppedAt) return "stopped";
    const kind = "details_reminder" as const;
    const due = { requestId, kind, occurrence: `${since} ${step}` };
    if (await tenant.notifications.note(due, clock.now()))
      await tenant.jobs.enqueue({ name: "send-mail", shop, ...due });
    return "reminded";
  });
}

/**
 * Whether a unit may wait for its buyer later: until it is ordered it can be handed over, and until its patient comes
 * it can be taken back.
 */
async function mayComeBack(tenant: Tenant, { orderId }: ReferralRequest, holder: Holder) {
  return holder === "buyer" && (await tenant.requests.forOrder(orderId)).some(mayHandOver);
}

/** Nobody answers: the merchant has to. */
async function give(tenant: Tenant, waiting: ReferralRequest[], now: Date): Promise<RemindOutcome> {
  for (const { id: requestId, orderId, attention } of waiting) {
    if (attention) continue;
    await tenant.requests.setAttention(requestId, "details_overdue");
    await tenant.timeline.add({
      kind: "details_overdue",
      actor: "pathway",
      at: now,
      orderId,
      requestId,
    });
  }
  return "ended";
}

async function schedule(tenant: Tenant, next: ReminderStep, dayMs: number): Promise<void> {
  const settings = await tenant.shops.find();
  if (!settings) return;
  const day = daysOf(settings)[next.step] ?? settings.detailsEndDays;
  const startAfter = new Date(next.since + day * dayMs);
  await tenant.jobs.enqueue({ name: "remind-details", shop: tenant.shop, ...next }, { startAfter });
}

/** In sequence, and none after the end. */
const daysOf = ({ reminderDays, detailsEndDays }: ReminderPolicy): number[] =>
  [...new Set(reminderDays)].filter((day) => day < detailsEndDays).sort((a, b) => a - b);
