import { mayInvite } from "../access/invitation-rules.ts";
import type { ShopDomain } from "../kernel/ids.ts";
import { queueMail } from "../kernel/queue-mail.ts";
import type { UnitOwner } from "../patients/unit-owner.ts";
import type { Ports } from "../privacy/ports.ts";
import type { Tenant } from "../privacy/tenant.ts";
import { apply } from "../referrals/apply.ts";
import type { ReminderStep } from "../referrals/jobs.ts";
import type { ReferralRequest } from "../referrals/request.ts";
import {
  askedAt,
  daysOf,
  schedule,
  UNASKED_END_STEP,
  UNASKED_STEP,
} from "../referrals/schedule-reminders.ts";
import { askedUnits, waitingUnits } from "../referrals/waiting-units.ts";

export type RemindOutcome = "reminded" | "stopped" | "ended" | "not_due" | "app_is_off";

/**
 * Asks once more for details that are still missing, and plans the next asking. After the last day of the
 * shop's policy nobody is asked any more: the units then need the merchant's attention. A chain ends without
 * a word when the details were given, the unit was cancelled, or it is no longer with the one who was asked. Nobody is
 * asked who was told that the patient is under age, until staff ask again. While the app is off, a chain looks each day whether it
 * is back: nothing else would begin it again.
 */
export async function sendReminder(
  { tenancy, clock, waits }: Pick<Ports, "tenancy" | "clock" | "waits">,
  { shop, ...current }: { shop: ShopDomain } & ReminderStep,
): Promise<RemindOutcome> {
  const { requestId, owner, since, step } = current;
  return tenancy.inShop(shop, async (tenant) => {
    const request = await tenant.requests.find(requestId);
    const settings = await tenant.shops.find();
    if (!request || !settings) return "not_due";
    if (!settings.installed) {
      const startAfter = new Date(clock.now().getTime() + waits.reminderDayMs);
      await tenant.jobs.enqueue({ name: "send-reminder", shop, ...current }, { startAfter });
      return "app_is_off";
    }
    if (owner === "patient" && request.invitedAt?.getTime() !== since) return "not_due";
    const waiting = await waitingUnits(tenant, request, owner);
    if (waiting.length === 0 && !(await mayComeBack(tenant, request, owner))) return "not_due";
    if (step === UNASKED_STEP) {
      await schedule(tenant, { ...current, step: UNASKED_END_STEP }, waits.reminderDayMs);
      return "not_due";
    }
    // The reminders of that mail have an end of their own.
    if (step === UNASKED_END_STEP && (await askedAt(tenant, request.orderId, since)))
      return "not_due";
    if (step >= daysOf(settings).length) return give(tenant, waiting, clock.now());
    await schedule(tenant, { ...current, step: step + 1 }, waits.reminderDayMs);
    // Nobody worked meanwhile, or the clock leapt ahead: the next one says the same, moments later.
    const nextDay = daysOf(settings)[step + 1] ?? Number.POSITIVE_INFINITY;
    if (since + nextDay * waits.reminderDayMs <= clock.now().getTime()) return "not_due";
    if ((await askedUnits(tenant, request, owner)).length === 0) return "not_due";
    // The first email still waits for an address that takes it: reminders would only wait behind it.
    if (request.remindersStoppedAt || request.mailRefusedAt) return "stopped";
    const kind = "details_reminder" as const;
    const due = { requestId, kind, occurrence: `${since} ${step}` };
    await queueMail(tenant, due, { now: clock.now() });
    return "reminded";
  });
}

/**
 * Whether a unit may wait for its buyer again: its patient can be invited until it is ordered, and the invitation revoked
 * until the patient comes.
 */
async function mayComeBack(tenant: Tenant, { orderId }: ReferralRequest, owner: UnitOwner) {
  return owner === "buyer" && (await tenant.requests.forOrder(orderId)).some(mayInvite);
}

/** Nobody answers: the merchant has to. */
async function give(tenant: Tenant, waiting: ReferralRequest[], now: Date): Promise<RemindOutcome> {
  const by = { actor: "pathway", at: now } as const;
  for (const { id } of waiting) await apply(tenant, id, { kind: "details_overdue" }, by);
  return "ended";
}
